// A pool of free blocks as a stack without counters: four threads take and give back, and a block that comes back in
// the meantime (ABA) is handed out twice.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define BLOCKS 6
#define TRIES 3

int top = 0, next[BLOCKS] = {1, 2, 3, 4, 5, -1}, owners[BLOCKS];

static int cas(int *word, int old, int new) {
  int done = 0;
  __VERIFIER_atomic_begin();
  if (*word == old) {
    *word = new;
    done = 1;
  }
  __VERIFIER_atomic_end();
  return done;
}

static int take(void) {
  for (int i = 0; i < TRIES; i++) {
    int first = top;
    if (first < 0) return -1;
    int second = next[first];
    if (!cas(&top, first, second)) continue;
    int others;
    __VERIFIER_atomic_begin();
    others = owners[first]++;
    __VERIFIER_atomic_end();
    assert(others == 0);
    return first;
  }
  return -1;
}

static void give(int block) {
  if (block < 0) return;
  __VERIFIER_atomic_begin();
  owners[block]--;
  __VERIFIER_atomic_end();
  for (int i = 0; i < TRIES; i++) {
    int first = top;
    next[block] = first;
    if (cas(&top, first, block)) return;
  }
}

void *few(void *unused) {
  int x = take(), y = take();
  give(x);
  give(y);
  x = take();
  give(x);
  return 0;
}

void *many(void *unused) {
  int x = take(), y = take(), z = take();
  give(y);
  give(x);
  give(z);
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, i % 2 ? many : few, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}

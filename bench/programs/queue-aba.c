// The queue of Michael and Scott with nodes that are used again, and without counters: three threads, and a value can
// be taken out twice.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define NODES 8
#define TRIES 3

struct node {
  int value, next;
} nodes[NODES];
int head, tail, used[NODES] = {1}, taken[NODES];

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

static int allocate(void) {
  for (int i = 1; i < NODES; i++)
    if (cas(&used[i], 0, 1)) return i;
  return -1;
}

static void enqueue(int value) {
  int node = allocate();
  if (node < 0) return;
  nodes[node].value = value;
  nodes[node].next = -1;
  for (int i = 0; i < TRIES; i++) {
    int last = tail, after = nodes[last].next;
    if (last != tail) continue;
    if (after != -1) cas(&tail, last, after);
    else if (cas(&nodes[last].next, -1, node)) {
      cas(&tail, last, node);
      return;
    }
  }
  used[node] = 0;
}

static void dequeue(void) {
  for (int i = 0; i < TRIES; i++) {
    int first = head, last = tail, second = nodes[first].next;
    if (first != head) continue;
    if (first == last) {
      if (second == -1) return;
      cas(&tail, last, second);
    } else if (second >= 0) {
      int value = nodes[second].value;
      if (!cas(&head, first, second)) continue;
      used[first] = 0;
      int before;
      __VERIFIER_atomic_begin();
      before = taken[value]++;
      __VERIFIER_atomic_end();
      assert(before == 0);
      return;
    }
  }
}

void *a(void *unused) {
  enqueue(1);
  enqueue(2);
  dequeue();
  enqueue(5);
  return 0;
}

void *b(void *unused) {
  dequeue();
  dequeue();
  enqueue(3);
  return 0;
}

void *c(void *unused) {
  enqueue(4);
  dequeue();
  enqueue(6);
  dequeue();
  return 0;
}

int main(void) {
  pthread_t x, y, z;
  nodes[0].next = -1;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, b, 0);
  pthread_create(&z, 0, c, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  pthread_join(z, 0);
}

// lazuli: expect safe; unwind 1; rounds 3
// An atomic section waits for another one, and what was written before that is its own to read.
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int ready, value = 5, seen;

static void *wait(void *unused) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(ready == 1);
  seen = value;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait, 0);
  value = 6;
  __VERIFIER_atomic_begin();
  ready = 1;
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return seen == 0;
}

// lazuli: expect safe; unwind 2; rounds 3
// A thread is joined after the atomic section that creates it.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *work(void *unused) {
  (void)unused;
  x = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  __VERIFIER_atomic_begin();
  pthread_create(&thread, 0, work, 0);
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return x == 2;
}

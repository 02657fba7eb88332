// lazuli: expect safe; unwind 1; rounds 2
// What is assumed never holds, so that one way into the atomic section has no end.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int never, x, y;
void *t(void *u) {
  if (x == 1) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(never > 0);
    y = 2;
    __VERIFIER_atomic_end();
  }
  y = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, t, 0);
  x = 1;
  assert(y != 2);
  return 0;
}

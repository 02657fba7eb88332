// lazuli: expect safe; unwind 1; rounds 3
//
// The accesses of an atomic section belong to one step even when the first of them lies on different paths.

#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y, z;

void *change(void *argument) {
  _Bool c = __VERIFIER_nondet_bool();
  __VERIFIER_atomic_begin();
  if (c)
    x = 1;
  else
    y = 1;
  z = x + y;
  __VERIFIER_atomic_end();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  y = 0;
  x = 0;
  pthread_join(thread, 0);
  assert(z == 1);
  return 0;
}

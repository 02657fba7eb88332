// lazuli: expect safe; unwind 1; rounds 3
//
// The program ends inside of an atomic section: nobody sees what was written there.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *change(void *argument) {
  __VERIFIER_atomic_begin();
  x = 1;
  if (x) abort();
  __VERIFIER_atomic_end();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  int r = x;
  assert(r == 0);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 2
//
// What a thread wrote before an assumption that fails stands, also when another path reads something at that place.

#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int x = 5, y;

void *change(void *argument) {
  _Bool n = __VERIFIER_nondet_bool();
  x = n;
  if (n) {
    int r = y;
    assert(r != 9);
  } else {
    __VERIFIER_assume(0);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  y = 1;
  int r = x;
  assert(r != 0);
  return 0;
}

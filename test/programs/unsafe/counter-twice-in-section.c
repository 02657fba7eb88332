// lazuli: expect unsafe; unwind 8; rounds 2
//
// A counter that each section moves up and then down by more: what it can be is not what the single moves add up to.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x = 10;

void *count(void *argument) {
  for (int i = 0; i < 7; i++) {
    __VERIFIER_atomic_begin();
    x += 5;
    x -= 6;
    __VERIFIER_atomic_end();
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(x != -4);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 3; LP64
//
// A start routine whose result is an int, as a pointer to void is wanted: it runs all the same, and the result has zeros
// above it, as in a register.

#include <assert.h>
#include <pthread.h>

int shared;

int add(void *argument) {
  (void)argument;
  shared++;
  return -3;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, (void *(*)(void *))add, 0);
  shared++;
  pthread_join(thread, &result);
  assert((long)result == 0xfffffffdl);
  assert(shared == 2);
  return 0;
}

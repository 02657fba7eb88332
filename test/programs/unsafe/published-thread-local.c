// lazuli: expect unsafe; unwind 1; rounds 3
//
// A thread-local variable is private only until its address is stored where others find it.

#include <assert.h>
#include <pthread.h>

int *pointer;
__thread int own = 3;

void *publish(void *argument) {
  own = 4;
  pointer = &own;
  own = 5;
  int r = own;
  assert(r == 5);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  int *found = pointer;
  if (found) *found = 7;
  pthread_join(thread, 0);
  return 0;
}

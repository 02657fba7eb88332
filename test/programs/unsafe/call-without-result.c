// lazuli: expect unsafe; unwind 1; rounds 2
//
// A function without result, called as if it had one: the result is 0, not that of the other function.

#include <assert.h>
#include <pthread.h>

int choice;

int five(int a) { return a + 5; }
void none(int a) { (void)a; }

void *choose(void *argument) {
  choice = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, choose, 0);
  int (*function)(int) = choice ? (int (*)(int))none : five;
  assert(function(0) == 5);
  return 0;
}

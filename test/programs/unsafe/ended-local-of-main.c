// lazuli: expect unsafe; unwind 1; rounds 3
//
// A local variable that was there before the first thread ends while the thread still uses it.

#include <pthread.h>

int *pointer;
int y;

void *get(void *argument) {
  y = *pointer;
  return argument;
}

void start(void) {
  int x = 0;
  pthread_t thread;
  pointer = &x;
  pthread_create(&thread, 0, get, 0);
}

int main(void) {
  start();
  y = 1;
  return 0;
}

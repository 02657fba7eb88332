// lazuli: expect safe; unwind 1; rounds 3
//
// The program ends when main returns: the other thread does not live to see main's variable end.

#include <pthread.h>

void *set(void *argument) {
  *(int *)argument = 1;
  return 0;
}

int main(void) {
  int x = 0;
  pthread_t thread;
  pthread_create(&thread, 0, set, &x);
  return x;
}

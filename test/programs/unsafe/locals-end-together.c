// lazuli: expect unsafe; unwind 1; rounds 3
//
// Two locals that others know end in the same step, when their function returns.

#include <pthread.h>

int g;
int *first = &g, *second = &g;

void *publish(void *argument) {
  int a = 1, b = 2;
  first = &a;
  second = &b;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  pthread_join(thread, 0);
  return *first + *second;
}

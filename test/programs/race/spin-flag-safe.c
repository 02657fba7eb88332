// lazuli: expect safe; unwind 2; rounds 3
// An atomic flag hands the data over to who spins for it.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *first(void *argument) {
  data = 1;
  flag = 1;
  return 0;
}

void *second(void *argument) {
  while (!flag);
  data = 2;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return data;
}

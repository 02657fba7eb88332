// lazuli: expect unsafe; unwind 2; rounds 3
// The flag itself is plain.
#include <pthread.h>

int data, flag;

void *first(void *argument) {
  data = 1;
  flag = 1;
  return 0;
}

void *second(void *argument) {
  while (!flag);
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

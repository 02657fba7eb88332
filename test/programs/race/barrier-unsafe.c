// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

int x;
pthread_barrier_t b;

void *first(void *argument) {
  x = 1;
  pthread_barrier_wait(&b);
  x = 2;
  return 0;
}

void *second(void *argument) {
  pthread_barrier_wait(&b);
  x = 3;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

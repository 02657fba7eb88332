// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int taken;

void *first(void *argument) {
  while (taken);
  taken = 1;
  x++;
  taken = 0;
  return 0;
}

void *second(void *argument) {
  while (taken);
  taken = 1;
  x++;
  taken = 0;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

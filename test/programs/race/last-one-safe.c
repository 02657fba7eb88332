// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>

int a[2], sum;
atomic_int left = 2;

void *first(void *argument) {
  a[0] = 1;
  if (atomic_fetch_sub(&left, 1) == 1) sum = a[0] + a[1];
  return 0;
}

void *second(void *argument) {
  a[1] = 1;
  if (atomic_fetch_sub(&left, 1) == 1) sum = a[0] + a[1];
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

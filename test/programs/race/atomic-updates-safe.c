// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *first(void *argument) {
  atomic_fetch_add(&x, 1);
  x |= 4;
  return 0;
}

void *second(void *argument) {
  int seen = atomic_exchange(&x, 3);
  x++;
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

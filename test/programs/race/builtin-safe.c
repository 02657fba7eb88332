// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

int x;

void *first(void *argument) {
  __sync_fetch_and_add(&x, 1);
  return 0;
}

void *second(void *argument) {
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
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

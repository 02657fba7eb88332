// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_flag taken = ATOMIC_FLAG_INIT;

void *first(void *argument) {
  while (atomic_flag_test_and_set(&taken));
  x++;
  atomic_flag_clear(&taken);
  return 0;
}

void *second(void *argument) {
  while (atomic_flag_test_and_set(&taken));
  x++;
  atomic_flag_clear(&taken);
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

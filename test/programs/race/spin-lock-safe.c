// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

int x;
pthread_spinlock_t l;

void *first(void *argument) {
  pthread_spin_lock(&l);
  x++;
  pthread_spin_unlock(&l);
  return 0;
}

void *second(void *argument) {
  pthread_spin_lock(&l);
  x++;
  pthread_spin_unlock(&l);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_spin_init(&l, 0);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

int x;
pthread_mutex_t m;

void *first(void *argument) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}

void *second(void *argument) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

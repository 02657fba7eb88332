// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>
#include <stdlib.h>

int *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *argument) {
  pthread_mutex_lock(&m);
  if (shared) *shared = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

void *second(void *argument) {
  pthread_mutex_lock(&m);
  free(shared);
  shared = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t s, t;
  shared = malloc(sizeof *shared);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

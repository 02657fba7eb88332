// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *first(void *argument) {
  *shared = 1;
  return 0;
}

void *second(void *argument) {
  *shared = 2;
  return 0;
}

int main(void) {
  pthread_t s, t;
  shared = malloc(sizeof *shared);
  if (!shared) return 0;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

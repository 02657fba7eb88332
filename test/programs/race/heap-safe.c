// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

#include <stdlib.h>

void *first(void *argument) {
  int *mine = malloc(sizeof *mine);
  if (!mine) return 0;
  *mine = 1;
  free(mine);
  return 0;
}

void *second(void *argument) {
  int *mine = malloc(sizeof *mine);
  if (!mine) return 0;
  *mine = 1;
  free(mine);
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

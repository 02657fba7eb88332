// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int own;
int *_Atomic place;
atomic_int done;

void *first(void *argument) {
  place = &own;
  own = 1;
  while (!done);
  return 0;
}

void *second(void *argument) {
  if (place) *place = 2;
  done = 1;
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

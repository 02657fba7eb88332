// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

__thread int own;

void *first(void *argument) {
  own = 1;
  own++;
  return 0;
}

void *second(void *argument) {
  own = 2;
  return 0;
}

int main(void) {
  pthread_t s, t;
  own = 5;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}

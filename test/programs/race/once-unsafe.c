// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

int value;
pthread_once_t once = PTHREAD_ONCE_INIT;

void start(void) {
  value = 7;
}

void *first(void *argument) {
  pthread_once(&once, start);
  int seen = value;
  return 0;
}

void *second(void *argument) {
  int seen = value;
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

// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

struct {
  unsigned low : 4;
  unsigned : 0;
  unsigned high : 4;
} s;

void *first(void *argument) {
  s.low = 1;
  return 0;
}

void *second(void *argument) {
  s.high = 1;
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

// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

int x;

void *work(void *argument) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return x;
}

// lazuli: expect safe; unwind 2; rounds 3
#include <pthread.h>

int x;

void *work(void *argument) {
  x++;
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  return x;
}

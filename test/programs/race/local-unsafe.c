// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

void *work(void *argument) {
  *(int *)argument = 1;
  return 0;
}

int main(void) {
  int local = 0;
  pthread_t t;
  pthread_create(&t, 0, work, &local);
  local++;
  pthread_join(t, 0);
  return local;
}

// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

int a[4];

void *first(void *argument) {
  for (int i = 0; i < 4; i += 2) a[i] = i;
  return 0;
}

void *second(void *argument) {
  for (int i = 1; i < 4; i++) a[i] = i;
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

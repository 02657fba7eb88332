// lazuli: expect unsafe; unwind 2; rounds 3
#include <pthread.h>

int x;

void __VERIFIER_atomic_add(int n) {
  x += n;
}

void *first(void *argument) {
  __VERIFIER_atomic_add(1);
  return 0;
}

void *second(void *argument) {
  x = 2;
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

#include <pthread.h>
int x, y, a, b;
void *one(void *argument) {
  x = 1;
  __sync_synchronize();
  a = y;
  return argument;
}
void *other(void *argument) {
  y = 1;
  __asm__ volatile("mfence" ::: "memory");
  b = x;
  return argument;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  __VERIFIER_assert(a || b);
  return 0;
}

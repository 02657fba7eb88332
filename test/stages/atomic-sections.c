#include <pthread.h>
int x, y;
void __VERIFIER_atomic_swap(void) {
  int kept = x;
  x = y;
  y = kept;
}
void *swap(void *argument) {
  __VERIFIER_atomic_swap();
  return argument;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, swap, 0);
  __VERIFIER_atomic_begin();
  __VERIFIER_assert(x + y == 1);
  __VERIFIER_atomic_end();
  return 0;
}

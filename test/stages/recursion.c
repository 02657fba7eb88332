#include <pthread.h>
int calls;
int depth(int n) {
  calls++;
  return n <= 0 ? 0 : 1 + depth(n - 1);
}
void *go_down(void *argument) {
  __VERIFIER_assert(depth(__VERIFIER_nondet_int()) < 3);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, go_down, 0);
  calls = 0;
  return 0;
}

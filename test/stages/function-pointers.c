#include <pthread.h>
int x;
static void set(int n) { x = n; }
static void add(int n) { x += n; }
static void (*const table[])(int) = { set, add };
void *call(void *argument) {
  table[__VERIFIER_nondet_int() & 1](3);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, call, 0);
  call(0);
  return x;
}

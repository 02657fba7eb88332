#include <pthread.h>
int sum;
void *add(void *argument) {
  for (int i = 0; i < 3; i++) sum += i;
  int left = __VERIFIER_nondet_int();
  while (left > 0) left--;
  do sum++; while (sum < 5);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  sum = 0;
  return 0;
}

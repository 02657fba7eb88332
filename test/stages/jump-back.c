#include <pthread.h>
int turn;
void *wait(void *argument) {
again:
  if (turn == 0) goto again;
  __VERIFIER_assert(turn == 1);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  turn = 1;
  return 0;
}

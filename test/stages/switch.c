#include <pthread.h>
int state;
void *move(void *argument) {
  switch (state) {
    case 0:
      state = 1;
    case 1:
      state = 2;
      break;
    default:
      state = 0;
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, move, 0);
  move(0);
  __VERIFIER_assert(state != 1);
  return 0;
}

/* Peterson's lock. Each thread announces itself and then looks whether the other one has: a processor that delays the
   announcement lets both in. Under sequential consistency the lock is right. */
#include <assert.h>
#include <pthread.h>

int wants[2];
int turn;
int inside;

void *client(void *argument) {
  int me = *(int *)argument;
  int other = 1 - me;
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  wants[me] = 0;
  return 0;
}

int main(void) {
  pthread_t first, second;
  int numbers[2] = {0, 1};
  pthread_create(&first, 0, client, &numbers[0]);
  pthread_create(&second, 0, client, &numbers[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

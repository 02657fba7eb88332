/* Dekker's lock: as Peterson's, it needs what is stored to be seen before what is read next. */
#include <assert.h>
#include <pthread.h>

int wants0, wants1;
int turn;
int inside;

void *client0(void *unused) {
  wants0 = 1;
  while (wants1) {
    if (turn != 0) {
      wants0 = 0;
      while (turn != 0) {
      }
      wants0 = 1;
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  turn = 1;
  wants0 = 0;
  return 0;
}

void *client1(void *unused) {
  wants1 = 1;
  while (wants0) {
    if (turn != 1) {
      wants1 = 0;
      while (turn != 1) {
      }
      wants1 = 1;
    }
  }
  inside++;
  assert(inside == 1);
  inside--;
  turn = 0;
  wants1 = 0;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, client0, 0);
  pthread_create(&second, 0, client1, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

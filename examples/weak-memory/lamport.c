/* Lamport's fast lock ("A fast mutual exclusion algorithm", 1987), for two threads that try once. */
#include <assert.h>
#include <pthread.h>

int x, y;
int busy[3];
int inside;

void *client(void *argument) {
  int me = *(int *)argument;
  int other = 3 - me;
  busy[me] = 1;
  x = me;
  if (y != 0) {
    busy[me] = 0;
    return 0;
  }
  y = me;
  if (x != me) {
    busy[me] = 0;
    if (busy[other]) return 0;
    if (y != me) return 0;
  }
  inside++;
  assert(inside == 1);
  inside--;
  y = 0;
  busy[me] = 0;
  return 0;
}

int main(void) {
  pthread_t first, second;
  int numbers[2] = {1, 2};
  pthread_create(&first, 0, client, &numbers[0]);
  pthread_create(&second, 0, client, &numbers[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

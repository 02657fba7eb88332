/* Lamport's bakery lock: whoever draws the smaller number goes first. */
#include <assert.h>
#include <pthread.h>

int choosing[2];
int number[2];
int inside;

void *client(void *argument) {
  int me = *(int *)argument;
  int other = 1 - me;
  choosing[me] = 1;
  number[me] = 1 + number[other];
  choosing[me] = 0;
  while (choosing[other]) {
  }
  while (number[other] != 0 && (number[other] < number[me] || (number[other] == number[me] && other < me))) {
  }
  inside++;
  assert(inside == 1);
  inside--;
  number[me] = 0;
  return 0;
}

int main(void) {
  pthread_t first, second;
  int names[2] = {0, 1};
  pthread_create(&first, 0, client, &names[0]);
  pthread_create(&second, 0, client, &names[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

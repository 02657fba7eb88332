// lazuli: expect unsafe; unwind 1; rounds 3
//
// Two threads deposit into one account. `balance += amount` reads and writes in two steps, so that a deposit which
// falls between the read and the write of the other is lost. Round 1: the first thread reads, the second deposits.
// Round 2: the first one writes what is now too old. Round 3: main has joined both and finds money missing.

#include <assert.h>
#include <pthread.h>

static int balance = 100;

static void *deposit(void *amount) {
  balance += *(int *)amount;
  return 0;
}

int main(void) {
  static int small = 10, large = 50;
  pthread_t first, second;
  pthread_create(&first, 0, deposit, &small);
  pthread_create(&second, 0, deposit, &large);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 160);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 2
//
// Peterson's lock with two lines exchanged: each thread gives the turn away before it says that it wants to enter.
// Round 1: the first thread gives the turn away; the second does so too, wants to enter, sees that the first does
// not, and is inside. Round 2: the first wants to enter, has the turn, and is inside as well.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

static void *enter(void *number) {
  int self = *(int *)number;
  int other = 1 - self;
  atomic_store(&turn, other);
  atomic_store(&wants[self], 1);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
  }
  int others = atomic_fetch_add(&inside, 1);
  assert(others == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&wants[self], 0);
  return 0;
}

int main(void) {
  static int numbers[2] = {0, 1};
  pthread_t first, second;
  pthread_create(&first, 0, enter, &numbers[0]);
  pthread_create(&second, 0, enter, &numbers[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

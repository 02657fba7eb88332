// lazuli: expect safe; unwind 1; rounds 3
//
// Peterson's lock for two threads, with sequentially consistent atomics: never are both inside.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

static void *enter(void *number) {
  int self = *(int *)number;
  int other = 1 - self;
  atomic_store(&wants[self], 1);
  atomic_store(&turn, other);
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

// lazuli: expect unsafe; unwind 3; rounds 1
//
// Dining philosophers who all take their left fork first. When each of them holds one fork and wants another,
// nobody will ever eat. The assertion states it: never do all of them hold exactly one fork. One round, in which
// each takes one fork.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PHILOSOPHERS 3

static pthread_mutex_t forks[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                              PTHREAD_MUTEX_INITIALIZER};
static atomic_int with_one_fork;

static void *dine(void *seat) {
  int left = *(int *)seat;
  int right = (left + 1) % PHILOSOPHERS;
  int first = left, second = right;
  pthread_mutex_lock(&forks[first]);
  int others = atomic_fetch_add(&with_one_fork, 1);
  assert(others + 1 < PHILOSOPHERS);
  pthread_mutex_lock(&forks[second]);
  atomic_fetch_sub(&with_one_fork, 1);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  static int seats[PHILOSOPHERS];
  pthread_t philosophers[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) {
    seats[i] = i;
    pthread_create(&philosophers[i], 0, dine, &seats[i]);
  }
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(philosophers[i], 0);
  return 0;
}

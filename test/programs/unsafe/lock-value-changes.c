// lazuli: expect unsafe; unwind 3; rounds 2
// The owner that is in the lock is the one that took it, and not what the variable holds when it is given back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int inside;

static void *work(void *unused) {
  int me = 1;
  (void)unused;
  for (int turn = 0; turn < 2; turn++) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, me)) expected = 0;
    inside++;
    assert(inside == 1);
    inside--;
    if (turn == 1) me = 2;
    int owner = atomic_exchange(&lock, 0);
    assert(owner == me);
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}

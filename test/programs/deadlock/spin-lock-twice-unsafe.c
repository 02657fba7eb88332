// lazuli: expect unsafe; unwind 2; rounds 3
// A lock of the program's own is taken by a thread that has it.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int word;

static void lock(void) {
  int expected = 0;
  while (!atomic_compare_exchange_weak(&word, &expected, 1)) {
    expected = 0;
    sched_yield();
  }
}

static void unlock(void) {
  atomic_store(&word, 0);
}

static int total;

static void add(int n) {
  lock();
  total += n;
  unlock();
}

static void *work(void *unused) {
  lock();
  if (total > 0) add(1);
  total++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  work(0);
  pthread_join(a, 0);
  return 0;
}

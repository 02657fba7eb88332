// lazuli: expect unsafe; unwind 2; rounds 3
// A compare-and-exchange that fails with a relaxed order comes after nothing.
#include <pthread.h>

#include <stdatomic.h>

static int data;
static atomic_int state;

static void *one(void *unused) {
  data = 1;
  atomic_store_explicit(&state, 5, memory_order_release);
  return unused;
}

static void *two(void *unused) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&state, &expected, 0, memory_order_acq_rel, memory_order_relaxed)) data++;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

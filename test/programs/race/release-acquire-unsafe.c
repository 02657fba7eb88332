// lazuli: expect unsafe; unwind 2; rounds 3
// A relaxed flag orders nothing else.
#include <pthread.h>

#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *one(void *unused) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void *two(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed)) data++;
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

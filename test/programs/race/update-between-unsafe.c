// lazuli: expect unsafe; unwind 2; rounds 3
// A store of another thread ends the release sequence.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *one(void *unused) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

static void *two(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) atomic_store_explicit(&ready, 2, memory_order_relaxed);
  return unused;
}

static void *three(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_acquire) == 2) data++;
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_create(&c, 0, three, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}

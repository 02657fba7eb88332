// lazuli: expect safe; unwind 2; rounds 3
// Fences on both sides order what relaxed accesses do not.
#include <pthread.h>

#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *one(void *unused) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

static void *two(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    data++;
  }
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

// lazuli: expect safe; unwind 2; rounds 2
//
// A ring for one producer and one consumer, with C11 atomics. The producer writes the slot and then moves the tail
// with a release, which the consumer's acquire sees: values arrive whole and in order.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#define VALUES 2

static int slots[SLOTS];
static atomic_uint head, tail;

static void put(int value) {
  unsigned int end = atomic_load_explicit(&tail, memory_order_relaxed);
  while (end - atomic_load_explicit(&head, memory_order_acquire) == SLOTS) {
  }
  slots[end % SLOTS] = value;
  atomic_store_explicit(&tail, end + 1, memory_order_release);
}

static int try_get(int *value) {
  unsigned int start = atomic_load_explicit(&head, memory_order_relaxed);
  if (start == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  *value = slots[start % SLOTS];
  atomic_store_explicit(&head, start + 1, memory_order_release);
  return 1;
}

static void *produce(void *unused) {
  for (int value = 1; value <= VALUES; value++) put(value);
  return unused;
}

static void *consume(void *unused) {
  int expected = 1;
  for (int attempt = 0; attempt < VALUES; attempt++) {
    int value;
    if (try_get(&value)) {
      assert(value == expected);
      expected++;
    }
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
//
// A buffer for one item with condition variables. The consumers test with `if` whether there is an item: after the
// wait they take it for granted, although another consumer may have been faster (or the wake-up was spurious).
// Round 1: the first consumer waits. Round 2: the producer puts an item and signals, the second consumer takes it.
// Round 3: the first consumer goes on and takes from an empty buffer. With spurious wake-ups, which POSIX allows,
// two rounds are enough.

#include <assert.h>
#include <pthread.h>

#define ITEMS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int count;

static void *produce(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == 1) pthread_cond_wait(&emptied, &mutex);
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

static void *consume(void *unused) {
  pthread_mutex_lock(&mutex);
  if (count == 0) pthread_cond_wait(&filled, &mutex);
  assert(count == 1);
  count--;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t producer, first, second;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&first, 0, consume, 0);
  pthread_create(&second, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

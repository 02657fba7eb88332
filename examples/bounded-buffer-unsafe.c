// lazuli: expect unsafe; unwind 2; rounds 2
//
// A buffer for one item with condition variables. The consumers test with `if` whether there is an item: after the
// wait they take it for granted, although another consumer may have been faster, or the wake-up was spurious,
// which POSIX allows. Round 1: the first consumer waits. Round 2: it wakes up and takes from an empty buffer.
// Where a wake-up needs a signal it takes three rounds: the first consumer waits; the producer puts an item and
// signals, and the second consumer takes it; the first consumer goes on.

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

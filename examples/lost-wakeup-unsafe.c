// lazuli: expect unsafe; unwind 1; rounds 2
//
// A consumer waits until the producer is ready, but the producer says so without holding the mutex. Its only
// signal may come after the consumer has looked and before it waits; then it wakes nobody and the consumer sleeps
// for ever. The assertion states it: whoever goes to sleep has a signal to come. Round 1: the consumer looks.
// Round 2: the producer is ready and signals, the consumer goes to sleep.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static atomic_int signals_to_come = 1;

static void *produce(void *unused) {
  atomic_store(&ready, 1);
  atomic_fetch_sub(&signals_to_come, 1);
  pthread_cond_signal(&changed);
  return unused;
}

static void *consume(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&ready)) {
    assert(atomic_load(&signals_to_come) > 0);
    pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
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

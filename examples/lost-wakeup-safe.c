// lazuli: expect safe; unwind 2; rounds 2
//
// A consumer waits until the producer is ready. The producer says so under the mutex, which the consumer holds
// from looking to waiting: the signal cannot fall in between.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;
static atomic_int signals_to_come = 1;

static void *produce(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&ready, 1);
  atomic_fetch_sub(&signals_to_come, 1);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
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

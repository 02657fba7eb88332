// lazuli: expect safe; unwind 2; rounds 3
// A thread waits in a loop, without the mutex, for a flag that is set under the mutex.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;

static void *consume(void *unused) {
  while (!ready) ;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *produce(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, produce, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

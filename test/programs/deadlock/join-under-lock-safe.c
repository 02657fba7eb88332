// lazuli: expect safe; unwind 2; rounds 3
// Main lets the lock go before it joins.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_mutex_lock(&m);
  pthread_create(&worker, 0, work, 0);
  pthread_mutex_unlock(&m);
  pthread_join(worker, 0);
  return 0;
}

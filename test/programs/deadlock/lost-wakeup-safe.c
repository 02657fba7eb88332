// lazuli: expect safe; unwind 2; rounds 3
// The signal comes after what it tells of.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, 0, wait_for_it, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(waiter, 0);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 3
// Both waiters are woken.
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
  pthread_t first, second;
  pthread_create(&first, 0, wait_for_it, 0);
  pthread_create(&second, 0, wait_for_it, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

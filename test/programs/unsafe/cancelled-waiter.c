// lazuli: expect unsafe; unwind 1; rounds 4; LP64; define __LAZULI_SPURIOUS_WAKEUPS=0
// A thread that waits for a condition is cancelled: its cleanup handler runs with the mutex held, and
// does not release it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;

static void release(void *argument) {
  (void)argument;
  cleaned = 1;
}

static void *waiter(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(release, 0);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, waiter, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(cleaned);
  assert(pthread_mutex_trylock(&lock) == 0);
  return 0;
}

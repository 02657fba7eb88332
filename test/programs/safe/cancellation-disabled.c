// lazuli: expect safe; unwind 1; rounds 4; LP64
// A thread that has disabled cancellation ends where it enables it again, at its next cancellation point. The
// destructor of its data runs.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_key_t key;
static sem_t never;
static int done, destroyed;

static void destroy(void *value) {
  assert(value == &key);
  destroyed = 1;
}

static void *work(void *argument) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_setspecific(key, &key);
  sleep(1);
  done = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  sem_wait(&never);
  assert(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_key_create(&key, destroy);
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, work, 0);
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && done && destroyed);
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 3
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_t owner;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Identifiers that are only compared with each other are names: which of the threads are created first is no matter. */
static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  owner = pthread_self();
  assert(owner == pthread_self());
  owner = 0;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t sometimes = 0, always;
  if (__VERIFIER_nondet_int() == 1) pthread_create(&sometimes, 0, work, 0);
  pthread_create(&always, 0, work, 0);
  assert(sometimes != always);
  if (sometimes) pthread_join(sometimes, 0);
  pthread_join(always, 0);
  return 0;
}

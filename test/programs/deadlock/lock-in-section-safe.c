// lazuli: expect safe; unwind 2; rounds 3
// A mutex is taken once in an atomic section, which waits as a whole.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
  (void)unused;
  __VERIFIER_atomic_begin();
  x = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  x = 2;
  pthread_mutex_unlock(&mutex);
  return 0;
}

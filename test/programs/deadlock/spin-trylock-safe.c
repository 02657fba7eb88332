// lazuli: expect safe; unwind 2; rounds 3
// Main waits for a thread that tries again and again to get a mutex that main gives back.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  while (pthread_mutex_trylock(&m) != 0) sched_yield();
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// Main joins a thread that waits for what main holds.
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
  pthread_join(worker, 0);
  pthread_mutex_unlock(&m);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 2
//
// Visitors of two gates are counted under a lock, and whoever reports takes it, too: there is no data race.

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visitors;

static void *gate(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    visitors++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *report(void *seen) {
  pthread_mutex_lock(&lock);
  *(int *)seen = visitors;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  int seen = 0;
  pthread_t first, second, reporter;
  pthread_create(&first, 0, gate, 0);
  pthread_create(&second, 0, gate, 0);
  pthread_create(&reporter, 0, report, &seen);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_join(reporter, 0);
  return seen;
}

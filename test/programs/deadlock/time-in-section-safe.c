// lazuli: expect safe; unwind 2; rounds 3
// That a time is of the usual form is no wait, also in an atomic section.
#include <pthread.h>
#include <time.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static long last;

static void *work(void *unused) {
  struct timespec now;
  (void)unused;
  __VERIFIER_atomic_begin();
  clock_gettime(CLOCK_REALTIME, &now);
  last = now.tv_nsec < 1000000000;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 3
// A wait with a time limit ends.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec until = {0, 0};
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&changed, &m, &until);
  pthread_mutex_unlock(&m);
  return until.tv_nsec != 0;
}

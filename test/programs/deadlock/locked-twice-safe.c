// lazuli: expect safe; unwind 2; rounds 3
// A recursive mutex may be locked twice.
#include <pthread.h>

static pthread_mutex_t m;

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}

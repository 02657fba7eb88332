// lazuli: expect unsafe; unwind 2; rounds 3
// A normal mutex that its owner locks again waits for itself.
#include <pthread.h>

static pthread_mutex_t m;

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 1; LP64
// A read-write lock on the stack that nobody initializes.
#include <pthread.h>

int main(void) {
  pthread_rwlock_t lock;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

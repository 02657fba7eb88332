// lazuli: expect safe; unwind 2; rounds 3
// The reader lets the lock go before it writes.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int shared;

static void *update(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int old = shared;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  shared = old + 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, update, 0);
  pthread_create(&second, 0, update, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

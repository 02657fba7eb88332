// lazuli: expect unsafe; unwind 2; rounds 3
// Who writes holds the lock for reading only.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *one(void *unused) {
  pthread_rwlock_rdlock(&l);
  int a = x;
  (void)a;
  pthread_rwlock_unlock(&l);
  return unused;
}

static void *two(void *unused) {
  pthread_rwlock_rdlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

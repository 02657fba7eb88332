// lazuli: expect unsafe; unwind 2; rounds 3
// Who does not get a lock looks at it until it is taken, which it may never be again.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void *work(void *unused) {
  (void)unused;
  while (atomic_exchange(&lock, 1)) {
    while (atomic_load(&lock) == 0) {
    }
  }
  x++;
  atomic_store(&lock, 0);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}

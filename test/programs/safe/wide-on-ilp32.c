// lazuli: expect safe; unwind 1; rounds 3
// Atomic accesses are whole at any size, floats have registers of their own, and what a lock protects is not seen half
// written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t shared;
int64_t locked = -1;
double number;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *argument) {
  shared = 0xffffffffffffffffULL;
  number = 1.1;
  pthread_mutex_lock(&lock);
  locked = 1;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  uint64_t seen = shared;
  assert(seen == 0 || seen + 1 == 0);
  double value = number;
  assert(value == 0 || value == 1.1);
  pthread_mutex_lock(&lock);
  int64_t kept = locked;
  pthread_mutex_unlock(&lock);
  assert(kept == 1 || kept == -1);
  pthread_join(thread, 0);
  return 0;
}

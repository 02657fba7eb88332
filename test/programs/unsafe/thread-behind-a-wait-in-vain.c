// lazuli: expect unsafe; unwind 1; rounds 2
// The threads behind the join never exist; those that the first thread creates do.
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

void *last(void *unused) {
  x = 1;
  return unused;
}

void *second(void *unused) {
  pthread_t t;
  pthread_create(&t, 0, last, 0);
  assert(x == 0);
  return unused;
}

void *first(void *unused) {
  pthread_t t;
  pthread_create(&t, 0, second, 0);
  pthread_mutex_lock(&held);
  return unused;
}

void *never(void *unused) {
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_mutex_lock(&held);
  pthread_create(&t, 0, first, 0);
  pthread_join(t, 0);
  pthread_create(&u, 0, never, 0);
  pthread_create(&u, 0, never, 0);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 3
// All have come before any goes on, and one of them is told that it was the last.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
#include <errno.h>
extern void abort(void);
void reach_error() { assert(0); }
extern void __VERIFIER_atomic_begin(); extern void __VERIFIER_atomic_end();
pthread_barrier_t bar;
volatile int before, after;
#define ASSERT(x) do { if (!(x)) { reach_error(); abort(); } } while (0)
void *worker(void *_) {
  __atomic_fetch_add(&before, 1, __ATOMIC_SEQ_CST);
  int r = pthread_barrier_wait(&bar);
  ASSERT(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
  ASSERT(before == 2);
  __atomic_fetch_add(&after, 1, __ATOMIC_SEQ_CST);
  return r == PTHREAD_BARRIER_SERIAL_THREAD ? (void *)1 : NULL;
}
int main() {
  pthread_t t[2];
  int serial = 0;
  pthread_barrier_init(&bar, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) { void *r; pthread_join(t[i], &r); if (r) serial++; }
  ASSERT(serial == 1);
  ASSERT(after == 2);
  pthread_barrier_destroy(&bar);
  return 0;
}

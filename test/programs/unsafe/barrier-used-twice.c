// lazuli: expect unsafe; unwind 2; rounds 3
// A barrier that is made for one use and used twice.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
extern void abort(void);
void reach_error() { assert(0); }
#define ASSERT(x) do { if (!(x)) { reach_error(); abort(); } } while (0)
typedef struct { int expected; pthread_mutex_t mtx; pthread_cond_t cond; } OneTimeBarrier;
void otb_init(OneTimeBarrier *b, int n) {
  b->expected = n;
  pthread_mutex_init(&b->mtx, NULL);
  pthread_cond_init(&b->cond, NULL);
}
int wait(OneTimeBarrier *b) {
  pthread_mutex_lock(&b->mtx);
  ASSERT(b->expected > 0);
  int last = --b->expected == 0;
  if (last) pthread_cond_broadcast(&b->cond);
  else while (b->expected != 0) pthread_cond_wait(&b->cond, &b->mtx);
  pthread_mutex_unlock(&b->mtx);
  return last;
}
OneTimeBarrier *bar;
void *worker(void *_) { wait(bar); return NULL; }
int main() {
  OneTimeBarrier b;
  bar = &b;
  otb_init(&b, 2);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  wait(&b);
  wait(&b);
  pthread_join(t, NULL);
  return 0;
}

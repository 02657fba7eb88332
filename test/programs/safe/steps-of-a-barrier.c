// lazuli: expect safe; unwind 2; rounds 3
// A barrier of atomic counters, at which threads spin.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 2
struct spinning_barrier { unsigned int n; atomic_uint step; atomic_uint nwait; };
void barrier_init(struct spinning_barrier *b, unsigned int n) {
  b->n = n;
  atomic_init(&b->step, 0); atomic_init(&b->nwait, 0);
}
int barrier_wait(struct spinning_barrier *b) {
  unsigned int step = atomic_load(&b->step);
  if (atomic_fetch_add(&b->nwait, 1) == b->n - 1) {
    atomic_store(&b->nwait, 0);
    atomic_fetch_add(&b->step, 1);
    return 1;
  } else {
    while (atomic_load(&b->step) == step) sched_yield();
    return 0;
  }
}
int var; struct spinning_barrier *barr; struct spinning_barrier bb;
void *threadA(void *arg) { var = 1; barrier_wait(barr); return NULL; }
void *threadB(void *arg) { if (barrier_wait(barr)) assert(var == 1); assert(var == 1); return NULL; }
int main() {
  pthread_t a, b;
  barr = &bb;
  barrier_init(barr, N);
  pthread_create(&a, NULL, threadA, NULL);
  pthread_create(&b, NULL, threadB, NULL);
  pthread_join(a, NULL); pthread_join(b, NULL);
  return 0;
}

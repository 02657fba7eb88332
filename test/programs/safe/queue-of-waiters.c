// lazuli: expect safe; unwind 2; rounds 3
// A queue lock (Mellor-Crummey and Scott): who goes hands over to the next.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stddef.h>
#define N 2
typedef struct mcs_node_s { _Atomic(struct mcs_node_s *) next; atomic_uint locked; } mcs_node_t;
typedef struct { _Atomic(mcs_node_t *) tail; } mcslock_t;
static inline void mcslock_init(mcslock_t *l) { atomic_store(&l->tail, NULL); }
static inline void mcslock_acquire(mcslock_t *l, mcs_node_t *node) {
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&node->locked, 1, memory_order_relaxed);
  mcs_node_t *pred = atomic_exchange(&l->tail, node);
  if (pred) {
    atomic_store_explicit(&pred->next, node, memory_order_release);
    while (atomic_load_explicit(&node->locked, memory_order_acquire)) ;
  }
}
static inline void mcslock_release(mcslock_t *l, mcs_node_t *node) {
  mcs_node_t *next;
  if (atomic_load_explicit(&node->next, memory_order_relaxed) == NULL) {
    mcs_node_t *e = node;
    if (atomic_compare_exchange_strong(&l->tail, &e, NULL)) return;
    while (atomic_load_explicit(&node->next, memory_order_acquire) == NULL) ;
  }
  next = atomic_load_explicit(&node->next, memory_order_acquire);
  atomic_store_explicit(&next->locked, 0, memory_order_release);
}
mcslock_t lock; mcs_node_t nodes[N]; unsigned x, y;
void *run(void *arg) {
  size_t tid = (size_t)arg;
  mcslock_acquire(&lock, &nodes[tid]);
  x++; y++;
  mcslock_release(&lock, &nodes[tid]);
  return NULL;
}
int main(void) {
  pthread_t t[N];
  mcslock_init(&lock);
  for (size_t i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (size_t i = 0; i < N; i++) pthread_join(t[i], NULL);
  assert(x == y && x == N);
  return 0;
}

// lazuli: expect safe; unwind 2; rounds 2
//
// Treiber's lock-free stack of two nodes. The head carries a counter that every change increments, so that a
// compare-and-exchange fails when anything has happened since the head was read: no node is taken twice.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 2
#define NONE NODES

static atomic_int next[NODES] = {1, NONE};
static atomic_int taken[NODES];
static atomic_uint head;

/* The head: the node in the lowest two bits, the number of changes above. */
static int node_of(unsigned int value) { return (int)(value % 4); }

static unsigned int changed(unsigned int old, int node) { return (old / 4 + 1) * 4 + (unsigned int)node; }

static void push(int node) {
  unsigned int old = atomic_load(&head);
  do {
    atomic_store(&next[node], node_of(old));
  } while (!atomic_compare_exchange_strong(&head, &old, changed(old, node)));
}

static int pop(void) {
  unsigned int old = atomic_load(&head);
  int after;
  do {
    if (node_of(old) == NONE) return NONE;
    after = atomic_load(&next[node_of(old)]);
  } while (!atomic_compare_exchange_strong(&head, &old, changed(old, after)));
  return node_of(old);
}

static int take(void) {
  int node = pop();
  if (node != NONE) {
    int taken_before = atomic_exchange(&taken[node], 1);
    assert(!taken_before);
  }
  return node;
}

static void *take_two(void *unused) {
  take();
  take();
  return unused;
}

static void *take_two_and_give_back(void *unused) {
  int node = take();
  take();
  if (node != NONE) {
    atomic_store(&taken[node], 0);
    push(node);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, take_two, 0);
  pthread_create(&second, 0, take_two_and_give_back, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 2
//
// Treiber's lock-free stack of two nodes, with the ABA problem. Round 1: the first thread is about to pop node 0
// and has read that node 1 follows; the second pops both and pushes node 0 again. Round 2: the compare-and-
// exchange of the first succeeds, because node 0 is on top as before, and makes node 1 the top, which the second
// thread still holds. The next pop takes it.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 2
#define NONE NODES

static atomic_int next[NODES] = {1, NONE};
static atomic_int taken[NODES];
static atomic_int head;

static void push(int node) {
  int old = atomic_load(&head);
  do {
    atomic_store(&next[node], old);
  } while (!atomic_compare_exchange_strong(&head, &old, node));
}

static int pop(void) {
  int old = atomic_load(&head);
  int after;
  do {
    if (old == NONE) return NONE;
    after = atomic_load(&next[old]);
  } while (!atomic_compare_exchange_strong(&head, &old, after));
  return old;
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

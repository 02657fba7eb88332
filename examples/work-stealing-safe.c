// lazuli: expect safe; unwind 1; rounds 3
//
// A work-stealing deque after Chase and Lev, with one task. For the last task the owner competes with the thieves
// by a compare-and-exchange on the top: one of them gets it.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NOTHING (-1)

static int tasks[1] = {0};
static atomic_int top = 0, bottom = 1;
static atomic_int runs[1];

static int take(void) {
  int last = atomic_load(&bottom) - 1;
  atomic_store(&bottom, last);
  int first = atomic_load(&top);
  if (first > last) {
    atomic_store(&bottom, first);
    return NOTHING;
  }
  int task = tasks[last];
  if (first == last) {
    if (!atomic_compare_exchange_strong(&top, &first, first + 1)) task = NOTHING;
    atomic_store(&bottom, last + 1);
  }
  return task;
}

static int steal(void) {
  int first = atomic_load(&top);
  if (first >= atomic_load(&bottom)) return NOTHING;
  int task = tasks[first];
  return atomic_compare_exchange_strong(&top, &first, first + 1) ? task : NOTHING;
}

static void run(int task) {
  if (task == NOTHING) return;
  int runs_before = atomic_fetch_add(&runs[task], 1);
  assert(runs_before == 0);
}

static void *own(void *unused) {
  run(take());
  return unused;
}

static void *thieve(void *unused) {
  run(steal());
  return unused;
}

int main(void) {
  pthread_t owner, thief;
  pthread_create(&owner, 0, own, 0);
  pthread_create(&thief, 0, thieve, 0);
  pthread_join(owner, 0);
  pthread_join(thief, 0);
  return 0;
}

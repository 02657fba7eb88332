// lazuli: expect unsafe; unwind 1; rounds 2
//
// A ticket lock whose tickets are drawn by a read and a write. Round 1: the first thread reads the number of the
// next ticket; the second draws the same one and is inside. Round 2: the first is inside as well.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket;
static atomic_int now_serving;
static atomic_int inside;

static void *enter(void *unused) {
  int ticket = atomic_load(&next_ticket);
  atomic_store(&next_ticket, ticket + 1);
  while (atomic_load(&now_serving) != ticket) {
  }
  int others = atomic_fetch_add(&inside, 1);
  assert(others == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_fetch_add(&now_serving, 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, enter, 0);
  pthread_create(&second, 0, enter, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

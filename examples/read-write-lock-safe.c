// lazuli: expect safe; unwind 1; rounds 3
//
// A read-write lock in one word: the number of readers, or -1 for a writer. Whoever enters changes it by a
// compare-and-exchange from a state that lets him in: the reader never sees a half-finished write.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int low, high;

static void *read_both(void *unused) {
  int free_or_read;
  do {
    free_or_read = atomic_load(&state);
  } while (free_or_read < 0 || !atomic_compare_exchange_strong(&state, &free_or_read, free_or_read + 1));
  assert(low == high);
  atomic_fetch_sub(&state, 1);
  return unused;
}

static void *write_both(void *unused) {
  int free_state;
  do {
    free_state = 0;
  } while (!atomic_compare_exchange_strong(&state, &free_state, -1));
  low++;
  high++;
  atomic_store(&state, 0);
  return unused;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, 0, read_both, 0);
  pthread_create(&writer, 0, write_both, 0);
  pthread_join(reader, 0);
  pthread_join(writer, 0);
  return 0;
}

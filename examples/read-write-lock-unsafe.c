// lazuli: expect unsafe; unwind 1; rounds 2
//
// A read-write lock made of a flag and a counter. The reader looks for a writer and registers in two steps. Round
// 1: the reader sees no writer; the writer sees no reader and changes the first of two fields. Round 2: the reader
// registers and finds the fields different.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int writing;
static atomic_int readers;
static int low, high;

static void *read_both(void *unused) {
  while (atomic_load(&writing)) {
  }
  atomic_fetch_add(&readers, 1);
  assert(low == high);
  atomic_fetch_sub(&readers, 1);
  return unused;
}

static void *write_both(void *unused) {
  while (atomic_load(&readers) > 0) {
  }
  atomic_store(&writing, 1);
  low++;
  high++;
  atomic_store(&writing, 0);
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

// lazuli: expect unsafe; unwind 1; rounds 3; LP64
// The store to an atomic record is one step, but not the reading of a plain one that is stored there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};

struct pair plain;
_Atomic struct pair shared;

static void *writer(void *argument) {
  struct pair next = {1, 1};
  (void)argument;
  plain = next;
  return 0;
}

int main(void) {
  pthread_t thread;
  struct pair seen;
  pthread_create(&thread, 0, writer, 0);
  shared = plain;
  seen = shared;
  assert(seen.a == seen.b);
  pthread_join(thread, 0);
  return 0;
}

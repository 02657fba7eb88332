// lazuli: expect safe; unwind 1; rounds 4; LP64
// An atomic record is read as a whole where it is an initializer, an argument and a result, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};

_Atomic struct pair shared;

static struct pair get(void) {
  return shared;
}

static void look(struct pair seen) {
  assert(seen.a == seen.b);
}

static void *writer(void *argument) {
  struct pair next = {1, 1};
  (void)argument;
  shared = next;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  struct pair fresh = shared;
  look(fresh);
  look(shared);
  look(get());
  pthread_join(thread, 0);
  return 0;
}

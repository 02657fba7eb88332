// lazuli: expect safe; unwind 1; rounds 4; LP64
// An atomic record is read and written as a whole, also where nobody calls an atomic routine.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};

_Atomic struct pair shared;
_Atomic struct pair slots[2];

static void look(struct pair seen) {
  assert(seen.a == seen.b);
}

static void *writer(void *argument) {
  struct pair next = {1, 1};
  (void)argument;
  shared = next;
  slots[1] = shared;
  return 0;
}

int main(void) {
  pthread_t thread;
  _Atomic struct pair *pointer = &shared;
  struct pair none = {0, 0}, seen;
  int choice = 1;
  pthread_create(&thread, 0, writer, 0);
  seen = shared;
  look(seen);
  seen = *pointer;
  look(seen);
  seen = slots[choice];
  look(seen);
  seen = choice ? shared : none;
  look(seen);
  pthread_join(thread, 0);
  return 0;
}

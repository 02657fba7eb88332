// lazuli: expect unsafe; unwind 1; rounds 2
// The copy of a record is no single access: half of the old value can come with half of the new one.
#include <assert.h>
#include <pthread.h>

struct pair {
  int low;
  int high[2];
};

struct pair shared;

static struct pair get(void) { return shared; }

static void *writer(void *arg) {
  struct pair next = {1, {1, 1}};
  shared = next;
  return 0;
}

int main(void) {
  pthread_t t;
  struct pair seen;
  pthread_create(&t, 0, writer, 0);
  seen = get();
  assert(seen.low == seen.high[1]);
  return 0;
}

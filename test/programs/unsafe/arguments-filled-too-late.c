// lazuli: expect unsafe; unwind 1; rounds 2; LP64
// The thread may be sooner than main, which fills in the second index when it has created it.
#include <assert.h>
#include <pthread.h>

struct part {
  int low, high;
};

int seen;

void *look(void *given) {
  struct part *part = given;
  if (part->low == 1 && part->high != 2) seen = 1;
  return 0;
}

int main(void) {
  struct part parts[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    parts[i].low = i;
    if (i == 0) parts[i].high = 1;
    pthread_create(&threads[i], 0, look, &parts[i]);
    parts[i].high = i + 1;
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(!seen);
  return 0;
}

// lazuli: expect unsafe; unwind 3; rounds 1
//
// Three workers meet at a barrier that was made for two: the first two pass it before the third has done its part.
// One round, in which the first two workers come and the second looks at all parts.

#include <assert.h>
#include <pthread.h>

#define WORKERS 3

static pthread_barrier_t barrier;
static int parts[WORKERS];

static void *work(void *part) {
  *(int *)part = 1;
  pthread_barrier_wait(&barrier);
  int done = 0;
  for (int i = 0; i < WORKERS; i++) done += parts[i];
  assert(done == WORKERS);
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS];
  pthread_barrier_init(&barrier, 0, WORKERS - 1);
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, &parts[i]);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}

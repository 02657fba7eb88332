// lazuli: expect safe; unwind 3; rounds 2
//
// Three workers meet at a barrier for three: whoever has passed it finds all parts done.

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
  pthread_barrier_init(&barrier, 0, WORKERS);
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, &parts[i]);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}

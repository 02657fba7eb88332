// lazuli: expect safe; unwind 2; rounds 3
// A thread may set a flag among the locals of another, which spins until then.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_late;

static void *work(void *flag) {
  *(atomic_int *)flag = 1;
  return 0;
}

int main(void) {
  pthread_t worker;
  atomic_int is_done = 0;
  pthread_create(&worker, 0, work, &is_done);
  is_late = 1;
  while (!is_done) {
  }
  pthread_join(worker, 0);
  return 0;
}

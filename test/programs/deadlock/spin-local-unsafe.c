// lazuli: expect unsafe; unwind 2; rounds 3
// Nobody sets the flag among the locals of main that it spins on.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int is_late;

static void *work(void *flag) {
  if (!is_late) *(atomic_int *)flag = 1;
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

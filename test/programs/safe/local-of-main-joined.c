// lazuli: expect safe; unwind 1; rounds 3
// Who has been joined does not look at the locals of main any more when pthread_exit ends them.
#include <assert.h>
#include <pthread.h>

int mine;

void *work(void *of_main) {
  *(int *)of_main = 7;
  return 0;
}

void *other(void *unused) {
  mine = 1;
  return unused;
}

int main(void) {
  pthread_t worker, goes_on;
  int local = 0;
  pthread_create(&goes_on, 0, other, 0);
  pthread_create(&worker, 0, work, &local);
  pthread_join(worker, 0);
  assert(local == 7);
  pthread_exit(0);
}

// lazuli: expect unsafe; unwind 1; rounds 2
// pthread_exit ends the locals of all functions that the thread is in.
#include <pthread.h>

int *where;

void leave(int *of_caller) {
  where = of_caller;
  pthread_exit(0);
}

void *work(void *unused) {
  int local = 7;
  leave(&local);
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  return *where;
}

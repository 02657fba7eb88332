// lazuli: expect unsafe; unwind 1; rounds 2
// A thread-local variable ends with its thread: main may not read it after the join.
#include <pthread.h>

_Thread_local int mine;
int *where;

void *work(void *unused) {
  mine = 7;
  where = &mine;
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
  return *where;
}

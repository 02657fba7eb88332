// lazuli: expect safe; unwind 2; rounds 3
// A thread that waits in a loop says so for a moment in each turn, and that is what the other one waits for.
#include <pthread.h>

static volatile int polls, done;

static void *finish(void *unused) {
  while (!polls) ;
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  while (!done) {
    polls = 1;
    polls = 0;
  }
  pthread_join(thread, 0);
  return 0;
}

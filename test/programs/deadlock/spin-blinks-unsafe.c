// lazuli: expect unsafe; unwind 2; rounds 3
// A thread that waits in a loop says so for a moment in each turn, in a variable that nobody else looks at.
#include <pthread.h>

static volatile int polls, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *finish(void *unused) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  pthread_mutex_lock(&mutex);
  while (!done) {
    polls = 1;
    polls = 0;
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 2
// The thread may call through the pointer before it is stored.
#include <pthread.h>

struct job {
  int (*operation)(int);
  int result;
};

static int same(int x) { return x; }

static void *work(void *argument) {
  struct job *job = argument;
  job->result = job->operation(1);
  return 0;
}

int main(void) {
  struct job job;
  pthread_t thread;
  pthread_create(&thread, 0, work, &job);
  job.operation = same;
  pthread_join(thread, 0);
  return 0;
}

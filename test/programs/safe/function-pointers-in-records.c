// lazuli: expect safe; unwind 2; rounds 3
// The members of `jobs` are read by threads and begin uninitialised: what the pointers may be is what was stored, and
// not every function of the program.
#include <assert.h>
#include <pthread.h>

struct job {
  int (*operation)(int, int);
  int left, right, result;
};

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*const operations[])(int, int) = {add, subtract};

static void *work(void *argument) {
  struct job *job = argument;
  job->result = job->operation(job->left, job->right);
  return job;
}

int main(void) {
  struct job jobs[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    jobs[i] = (struct job){operations[i], 3 + i, 4, 0};
    pthread_create(&threads[i], 0, work, &jobs[i]);
  }
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    void *job;
    pthread_join(threads[i], &job);
    sum += ((struct job *)job)->result;
  }
  assert(sum == 7);
  return 0;
}

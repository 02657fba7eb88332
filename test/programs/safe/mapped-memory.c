// lazuli: expect safe; unwind 2; rounds 3
// Anonymous memory is mapped as zeros, which two threads share until it is unmapped.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

struct shared {
  pthread_mutex_t lock;
  int count;
};

static struct shared *shared;

static void *worker(void *argument) {
  (void)argument;
  pthread_mutex_lock(&shared->lock);
  shared->count++;
  pthread_mutex_unlock(&shared->lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  assert(shared->count == 0);
  pthread_mutex_init(&shared->lock, 0);
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  assert(shared->count == 2);
  if (system("true") == 0) shared->count = 3;
  assert(shared->count >= 2);
  assert(munmap(shared, sizeof *shared) == 0);
  return 0;
}

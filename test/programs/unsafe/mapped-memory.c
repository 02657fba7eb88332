// lazuli: expect unsafe; unwind 2; rounds 2
// One thread unmaps memory that the other still uses.
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *worker(void *argument) {
  (void)argument;
  *shared = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  shared = mmap(0, 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&thread, 0, worker, 0);
  munmap(shared, 4);
  pthread_join(thread, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// The post comes too early.
#include <pthread.h>

#include <semaphore.h>

static sem_t done;
static int x;

static void *one(void *unused) {
  sem_post(&done);
  x = 1;
  return unused;
}

static void *two(void *unused) {
  sem_wait(&done);
  x = 2;
  return unused;
}

int main(void) {
  pthread_t first, second;
  sem_init(&done, 0, 0);
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// Main sleeps for ever, and nobody is left who would post.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t jobs;

static void *serve(void *unused) {
  for (int i = 0; i < 2; i++) sem_wait(&jobs);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&jobs, 0, 1);
  pthread_create(&a, 0, serve, 0);
  for (;;) sleep(1);
}

// lazuli: expect unsafe; unwind 2; rounds 3
// Main ends alone, and the thread that is left waits for ever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *serve(void *unused) {
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t server;
  sem_init(&never, 0, 0);
  pthread_create(&server, 0, serve, 0);
  pthread_exit(0);
}

// lazuli: expect safe; unwind 2; rounds 3
// Each of the waiters gets its post.
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *take(void *unused) {
  sem_wait(&items);
  return unused;
}

int main(void) {
  pthread_t first, second;
  sem_init(&items, 0, 0);
  pthread_create(&first, 0, take, 0);
  pthread_create(&second, 0, take, 0);
  sem_post(&items);
  sem_post(&items);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

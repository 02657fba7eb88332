// lazuli: expect safe; unwind 2; rounds 3; LP64
// All kinds of synchronization objects, initialized in new memory.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct objects {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  sem_t semaphore;
  int ready;
};

static void *work(void *argument) {
  struct objects *objects = argument;
  pthread_mutex_lock(&objects->mutex);
  objects->ready = 1;
  pthread_cond_signal(&objects->condition);
  pthread_mutex_unlock(&objects->mutex);
  pthread_rwlock_wrlock(&objects->rwlock);
  pthread_rwlock_unlock(&objects->rwlock);
  pthread_spin_lock(&objects->spin);
  pthread_spin_unlock(&objects->spin);
  sem_post(&objects->semaphore);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct objects *objects = malloc(sizeof *objects);
  pthread_mutex_init(&objects->mutex, 0);
  pthread_cond_init(&objects->condition, 0);
  pthread_rwlock_init(&objects->rwlock, 0);
  pthread_spin_init(&objects->spin, 0);
  sem_init(&objects->semaphore, 0, 0);
  objects->ready = 0;
  pthread_create(&thread, 0, work, objects);
  sem_wait(&objects->semaphore);
  assert(objects->ready == 1);
  pthread_join(thread, 0);
  return 0;
}

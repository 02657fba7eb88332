// lazuli: expect safe; unwind 1; rounds 3; LP64
// A mutex in new memory is one after its initialization; zeros are one, too (zeroed-mutex.c).
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  int count;
};

static void *add(void *argument) {
  struct queue *queue = argument;
  pthread_mutex_lock(&queue->lock);
  queue->count++;
  pthread_mutex_unlock(&queue->lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct queue *queue = malloc(sizeof *queue);
  queue->count = 0;
  pthread_mutex_init(&queue->lock, 0);
  pthread_create(&thread, 0, add, queue);
  add(queue);
  pthread_join(thread, 0);
  assert(queue->count == 2);
  free(queue);
  return 0;
}

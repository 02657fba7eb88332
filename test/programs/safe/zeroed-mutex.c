// lazuli: expect safe; unwind 1; rounds 3; LP64
// A mutex of zeros is an unlocked one, as with glibc, wherever the zeros come from.
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
  struct queue *queue = calloc(1, sizeof *queue);
  queue->count = 0;
  pthread_create(&thread, 0, add, queue);
  add(queue);
  pthread_join(thread, 0);
  assert(queue->count == 2);
  free(queue);
  return 0;
}

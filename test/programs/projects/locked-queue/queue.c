#include "queue.h"
struct queue shared = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static int count;
void push(struct queue *queue, struct node *node) {
  pthread_mutex_lock(&queue->lock);
  node->next = queue->head;
  queue->head = node;
  count++;
  queue->size = count;
  pthread_mutex_unlock(&queue->lock);
}
struct node *pop(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  struct node *node = queue->head;
  if (!is_empty(queue)) {
    queue->head = node->next;
    count--;
    queue->size = count;
  }
  pthread_mutex_unlock(&queue->lock);
  return node;
}

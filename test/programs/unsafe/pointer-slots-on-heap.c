// lazuli: expect unsafe; unwind 2; rounds 2; LP64
// A slot of a queue on the heap is read though nothing may have been written to it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define CAPACITY 128
struct queue { int *slots[CAPACITY]; int head, tail, count; pthread_mutex_t lock; };
static int items[2] = {1, 2};
static void push(struct queue *q, int *item) {
  pthread_mutex_lock(&q->lock);
  q->slots[q->tail] = item;
  q->tail = (q->tail + 1) % CAPACITY;
  q->count++;
  pthread_mutex_unlock(&q->lock);
}
static int *pop(struct queue *q) {
  int *item = 0;
  pthread_mutex_lock(&q->lock);
  if (q->count >= 0) {
    item = q->slots[q->head];
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
  }
  pthread_mutex_unlock(&q->lock);
  return item;
}
static void *produce(void *queue) {
  push(queue, &items[0]);
  push(queue, &items[1]);
  return 0;
}
int main(void) {
  struct queue *q = malloc(sizeof *q);
  if (!q) abort();
  q->head = q->tail = q->count = 0;
  pthread_mutex_init(&q->lock, 0);
  pthread_t t;
  pthread_create(&t, 0, produce, q);
  int *first = pop(q), *second = pop(q);
  assert(!first || *first == 1);
  assert(!second || *second == (first ? 2 : 1));
  pthread_join(t, 0);
  return 0;
}

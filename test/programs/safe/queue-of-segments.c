// lazuli: expect safe; unwind 1; rounds 1; LP64
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

// A queue of segments between one writer and one reader. Pointers into the segments are kept beside the items, so
// that accesses of two sizes meet in one object.
struct segment {
  int *first;
  int items[2];
  int *end;
  struct segment *next;
};

struct queue {
  struct segment *head;
  struct segment *tail;
} queue;

static struct segment *make_segment(void) {
  struct segment *made = malloc(sizeof *made);
  made->first = made->end = made->items;
  made->next = NULL;
  return made;
}

static void push(struct queue *q, int item) {
  struct segment *into = q->tail->end == q->tail->items + 2 ? make_segment() : q->tail;
  *into->end = item;
  ++into->end;
  if (into != q->tail) {
    q->tail->next = into;
    q->tail = into;
  }
}

static int is_empty(struct queue *q) { return q->head == q->tail && q->head->first >= q->head->end; }

static void drop(struct queue *q) {
  struct segment *old = q->head;
  q->head = old->next;
  free(old);
}

static int pop(struct queue *q) {
  if (q->head->first == q->head->items + 2) drop(q);
  int item = *q->head->first;
  ++q->head->first;
  if (q->head->first == q->head->items + 2 && q->head != q->tail) drop(q);
  return item;
}

static void *write_all(void *unused) {
  for (int i = 0; i < 4; i++) push(&queue, i);
  return unused;
}

int main(void) {
  pthread_t writer;
  queue.head = queue.tail = make_segment();
  pthread_create(&writer, NULL, write_all, NULL);
  for (int i = 0; i < 4; i++) {
    __VERIFIER_assume(!is_empty(&queue));
    assert(pop(&queue) == i);
  }
  pthread_join(writer, NULL);
  free(queue.head);
  return 0;
}

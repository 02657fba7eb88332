#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
struct node { struct node *next; int value; };
struct queue { pthread_mutex_t lock; struct node *head; int size; };
extern struct queue shared;
void push(struct queue *, struct node *);
struct node *pop(struct queue *);
static inline int is_empty(const struct queue *queue) { return queue->head == 0; }
#endif

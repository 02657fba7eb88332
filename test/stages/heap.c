#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
void *push(void *argument) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  n->next = head;
  head = n;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  if (head) __VERIFIER_assert(head->value == 1);
  return 0;
}

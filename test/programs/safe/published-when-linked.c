// lazuli: expect safe; unwind 2; rounds 2; LP64
// A node is published when it is complete.
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *top;
static void *push(void *unused) {
  struct node *made = malloc(sizeof *made);
  if (!made) abort();
  made->value = 1;
  struct node *old = top;
  made->next = old;
  top = made;
  return 0;
}
int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, 0, push, 0);
  for (struct node *p = top; p; p = p->next) sum += p->value;
  pthread_join(t, 0);
  return sum;
}

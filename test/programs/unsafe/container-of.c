// lazuli: expect unsafe; unwind 1; rounds 2
// From a member back to its record, through a pointer that another thread published.
#include <stddef.h>
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
struct list { struct list *next; };
struct item { int a; struct list link; int b; };
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
static struct list *volatile head;
void *producer(void *u) {
  struct item *i = malloc(sizeof *i);
  head = &i->link;
  i->a = 1; i->b = 2; i->link.next = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  struct list *l = head;
  if (l) { struct item *i = container_of(l, struct item, link); assert(i->a == 1 && i->b == 2); }
  pthread_join(t, 0);
}

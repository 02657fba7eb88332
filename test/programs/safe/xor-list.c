// lazuli: expect safe; unwind 3; rounds 3
// A doubly linked list with one link: the addresses of both neighbours, xored.
#include <stdlib.h>
#include <stdint.h>
#include <assert.h>
#include <pthread.h>
struct node { int v; uintptr_t link; };
static struct node *first, *last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void append(int v) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->link = (uintptr_t)last ^ 0;
  if (last) last->link ^= (uintptr_t)n; else first = n;
  last = n;
}
void *t(void *a) {
  pthread_mutex_lock(&m);
  append(2);
  pthread_mutex_unlock(&m);
  return 0; }
int main(void) {
  append(1);
  pthread_t x, y;
  pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0);
  pthread_join(x, 0); pthread_join(y, 0);
  int sum = 0; uintptr_t prev = 0; struct node *p = first;
  for (int i = 0; i < 3 && p; i++) { sum += p->v; struct node *nx = (struct node *)(p->link ^ prev); prev = (uintptr_t)p; p = nx; }
  assert(sum == 5);
}

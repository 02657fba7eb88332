// lazuli: expect unsafe; unwind 2; rounds 3; LP64
// A stack whose head is a record of two words, replaced by compare-and-exchange; the tag has to count every push.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; };
struct head { struct node *top; unsigned long tag; };
static _Atomic struct head stack;
static struct node n[2];
static void push(struct node *x) {
  struct head old = atomic_load(&stack), new;
  do { x->next = old.top; new.top = x;
   new.tag = old.tag + (old.top == 0);
  } while (!atomic_compare_exchange_weak(&stack, &old, new));
}
void *t(void *a) { push(a); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, &n[0]); pthread_create(&b, 0, t, &n[1]);
  pthread_join(a, 0); pthread_join(b, 0);
  struct head h = atomic_load_explicit(&stack, memory_order_acquire);
  assert(h.tag == 2 && h.top && h.top->next && !h.top->next->next);
}

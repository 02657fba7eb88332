// lazuli: expect safe; unwind 2; rounds 3
// Records with pointers and padding that are copied and filled by memcpy, memmove and memset keep their values whole.
#include <string.h>
#include <pthread.h>
#include <assert.h>
struct node { char tag; struct node *next; int v; };
struct node pool[2]; struct node copy; struct node *top;
void *t1(void *a) { struct node n; memset(&n, 0, sizeof n); n.v = 7; n.next = &pool[1]; memcpy(&pool[0], &n, sizeof n); __atomic_store_n(&top, &pool[0], 5); return 0; }
void *t2(void *a) { struct node *p = __atomic_load_n(&top, 5); if (p) { memcpy(&copy, p, sizeof copy); assert(copy.v == 7); assert(copy.next == &pool[1]); assert(copy.tag == 0); copy.next->v = 3; } return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); pthread_join(a,0); pthread_join(b,0); assert(pool[1].v == 0 || pool[1].v == 3); int x[3] = {1,2,3}, y[3]; memmove(y, x, sizeof y); assert(y[2] == 3); memset(x, 0xff, sizeof x); assert(x[0] == -1); return 0; }

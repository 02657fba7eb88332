// lazuli: expect safe; unwind 1; rounds 3
// The last one who lets go of a record frees it.
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
struct obj { atomic_int refs; int v; pthread_mutex_t m; };
static struct obj *get(struct obj *o) { atomic_fetch_add(&o->refs, 1); return o; }
static void put(struct obj *o) { if (atomic_fetch_sub(&o->refs, 1) == 1) { pthread_mutex_destroy(&o->m); free(o); } }
void *user(void *a) {
  struct obj *o = a;
  pthread_mutex_lock(&o->m); o->v++; pthread_mutex_unlock(&o->m); put(o);
  return 0;
}
int main(void) {
  pthread_t t1, t2;
  struct obj *o = malloc(sizeof *o);
  atomic_init(&o->refs, 1); o->v = 0; pthread_mutex_init(&o->m, 0);
  pthread_create(&t1, 0, user, get(o)); pthread_create(&t2, 0, user, get(o));
  put(o);
  pthread_join(t1, 0); pthread_join(t2, 0);
  return 0;
}

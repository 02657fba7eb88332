// lazuli: expect safe; unwind 4; rounds 3
// Destructors of thread-specific data run at the end of the thread, before it can be joined.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static pthread_key_t key;
static int freed;
static void dtor(void *p) { free(p); __sync_fetch_and_add(&freed, 1); }
void *t(void *a) { pthread_setspecific(key, malloc(4)); if (a) pthread_exit(0); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, dtor);
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(freed == 2);
}

// lazuli: expect safe; unwind 1; rounds 2
//
// Double-checked locking that fills the object in and then publishes it with one atomic store.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
  int version;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) instance;

static struct settings *get_instance(void) {
  struct settings *found = atomic_load(&instance);
  if (found) return found;
  pthread_mutex_lock(&mutex);
  found = atomic_load(&instance);
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found) abort();
    found->version = 7;
    atomic_store(&instance, found);
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

static void *use(void *unused) {
  assert(get_instance()->version == 7);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, use, 0);
  pthread_create(&second, 0, use, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  free(atomic_load(&instance));
  return 0;
}

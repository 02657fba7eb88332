// lazuli: expect safe; unwind 1; rounds 2
// The destructor of a key runs for the thread that ends, not for main, which goes on.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
extern void abort(void);
void reach_error() { assert(0); }
#define ASSERT(x) do { if (!(x)) { reach_error(); abort(); } } while (0)
pthread_key_t key; int ran;
void destructor(void *val) { ASSERT(val == (void *)42); ran++; }
void *worker(void *_) {
  pthread_setspecific(key, (void *)42);
  return NULL;
}
int main() {
  pthread_key_create(&key, &destructor);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_setspecific(key, (void *)16);
  pthread_join(t, NULL);
  ASSERT(ran == 1);
  return 0;
}

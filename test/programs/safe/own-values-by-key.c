// lazuli: expect safe; unwind 1; rounds 2
// Each thread has its own value of a key.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
extern void abort(void);
void reach_error() { assert(0); }
#define ASSERT(x) do { if (!(x)) { reach_error(); abort(); } } while (0)
pthread_key_t key;
void *worker(void *_) {
  ASSERT(pthread_getspecific(key) == NULL);
  int r = pthread_setspecific(key, (void *)42);
  ASSERT(r == 0);
  ASSERT(pthread_getspecific(key) == (void *)42);
  return NULL;
}
int main() {
  int r = pthread_key_create(&key, NULL);
  ASSERT(r == 0);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  ASSERT(pthread_getspecific(key) == NULL);
  r = pthread_setspecific(key, (void *)16);
  ASSERT(pthread_getspecific(key) == (void *)16);
  pthread_join(t, NULL);
  ASSERT(pthread_getspecific(key) == (void *)16);
  r = pthread_key_delete(key);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 2
// Returning from main runs the exit handlers: the last of them sees an addition that got lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int count;
static void add(void) { count++; }
static void verify(void) { assert(count == 3); }
static void *worker(void *unused) {
  add();
  return unused;
}
int main(void) {
  pthread_t t;
  atexit(verify);
  atexit(add);
  pthread_create(&t, 0, worker, 0);
  add();
  pthread_join(t, 0);
  return 0;
}

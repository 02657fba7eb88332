// lazuli: expect safe; unwind 2; rounds 2
// Constructors run before main, by priority and then as they are defined; destructors after all exit handlers, in reverse.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int order;
static void next(int digit) { order = order * 10 + digit; }
__attribute__((constructor)) static void third(void) { next(3); }
static void fourth(void) __attribute__((__constructor__));
__attribute__((constructor(200))) void second(void) { next(2); }
__attribute__((constructor(101))) void first(void) { next(1); }
__attribute__((destructor(101))) static void last(void) { assert(order == 1234568); }
__attribute__((destructor)) static void eighth(void) { next(8); }
static void handler(void) { next(6); }
static void *worker(void *unused) {
  next(5);
  return unused;
}
int main(void) {
  pthread_t t;
  assert(order == 1234);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
static void fourth(void) {
  next(4);
  atexit(handler);
}

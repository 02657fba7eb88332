// lazuli: expect unsafe; unwind 1; rounds 3
// Of an uninterpreted function it is known that equal arguments give equal results, in whatever thread.
#include <assert.h>
#include <pthread.h>

int __CPROVER_uninterpreted_hash(int key, unsigned char part);

static int second;

static void *work(void *argument) {
  second = __CPROVER_uninterpreted_hash(3, 4);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int first = __CPROVER_uninterpreted_hash(3, 4);
  int other = __CPROVER_uninterpreted_hash(3, 5);
  pthread_join(thread, 0);
  assert(first == other || (first == 0 && other == 0 && second == 0));
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 2; LP64
// A thread's result is a number, which may be negative.
#include <assert.h>
#include <pthread.h>
static int fails;
void *worker(void *unused) {
  int error = fails ? -1 : 0;
  return (void *)(long)error;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, worker, 0);
  fails = 1;
  pthread_join(t, &result);
  assert((long)result == 0 || (long)result == -1);
}

// lazuli: expect unsafe; unwind 1; rounds 2
//
// What __builtin_add_overflow computes is stored in shared memory, although it does not fit.

#include <assert.h>
#include <limits.h>
#include <pthread.h>

int total = INT_MAX, overflowed;

void *add(void *argument) {
  overflowed = __builtin_add_overflow(total, 2, &total);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  assert(total > 0 || overflowed);
  pthread_join(thread, 0);
  assert(overflowed && total == INT_MIN + 1);
  return 0;
}

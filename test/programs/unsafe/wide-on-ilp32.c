// lazuli: expect unsafe; unwind 1; rounds 3
// 64 bits are two accesses of a machine of 32.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

uint64_t shared;

static void *writer(void *argument) {
  shared = 0xffffffffffffffffULL;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  uint64_t seen = shared;
  assert(seen == 0 || seen + 1 == 0);
  pthread_join(thread, 0);
  return 0;
}

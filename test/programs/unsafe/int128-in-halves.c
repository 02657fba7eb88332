// lazuli: expect unsafe; unwind 1; rounds 3; LP64
// 128 bits are two accesses of a machine of 64.
#include <assert.h>
#include <pthread.h>

unsigned __int128 shared;

static void *writer(void *argument) {
  shared = ~(unsigned __int128)0;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  unsigned __int128 seen = shared;
  assert((unsigned long)(seen >> 64) == (unsigned long)seen);
  pthread_join(thread, 0);
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 3; LP64
// 64 bits are one access of a machine of 64, and atomic ones of 128 bits are whole.
#include <assert.h>
#include <pthread.h>

unsigned __int128 shared;
unsigned long long word;

static void *writer(void *argument) {
  unsigned __int128 all = ~(unsigned __int128)0;
  __atomic_store(&shared, &all, __ATOMIC_SEQ_CST);
  word = ~0ull;
  return argument;
}

int main(void) {
  pthread_t thread;
  unsigned __int128 seen;
  pthread_create(&thread, 0, writer, 0);
  __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
  assert((unsigned long)(seen >> 64) == (unsigned long)seen);
  unsigned long long half = word;
  assert(half == 0 || half + 1 == 0);
  pthread_join(thread, 0);
  return 0;
}

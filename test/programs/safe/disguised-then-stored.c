// lazuli: expect safe; unwind 1; rounds 3; LP64
// The address gets out in disguise before it is stored as it is: what is seen through it is what the object holds then.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <assert.h>
static uint64_t word;
static int *shared;
static int other;
void *t(void *u) {
  int *p = malloc(4);
  *p = 1;
  word = (uint64_t)(uintptr_t)p ^ 0x5555555555555555ULL;
  other = 1;
  *p = 2;
  shared = p;
  return 0;
}
int main(void) {
  pthread_t x; pthread_create(&x, 0, t, 0);
  uint64_t w = word;
  if (w) { int *p = (int *)(uintptr_t)(w ^ 0x5555555555555555ULL); int v = *p;
  assert(v == 1 || v == 2);
  }
  int *q = shared; if (q) assert(*q == 2);
  pthread_join(x, 0);
}

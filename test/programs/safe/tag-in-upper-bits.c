// lazuli: expect safe; unwind 1; rounds 3; LP64
// An address with a tag above it is stored; the mask that takes it out leads to the object.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <assert.h>
static uint64_t word;
void *t(void *u) {
  int *p = malloc(4);
  *p = 1;
  word = (uint64_t)(uintptr_t)p | (1ULL << 48);
  return 0;
}
int main(void) {
  pthread_t x; pthread_create(&x, 0, t, 0);
  uint64_t w = word;
  if (w) { int *p = (int *)(uintptr_t)(w & 0xffffffffffffULL); assert(*p == 1); }
  pthread_join(x, 0);
}

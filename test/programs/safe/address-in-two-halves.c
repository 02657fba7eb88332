// lazuli: expect safe; unwind 1; rounds 3; LP64
// An address is stored in two halves, one of them changed.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <assert.h>
static uint32_t lo, hi;
void *t(void *u) {
  int *p = malloc(4);
  *p = 1;
  lo = (uint32_t)(uintptr_t)p; hi = (uint32_t)((uintptr_t)p >> 32) + 7;
  return 0;
}
int main(void) {
  pthread_t x; pthread_create(&x, 0, t, 0);
  uint32_t h = hi, l = lo; uint64_t w = h ? (((uint64_t)(h - 7)) << 32) + l : 0;
  if (w) { int *p = (int *)(uintptr_t)(w & 0xffffffffffffULL); assert(*p == 1); }
  pthread_join(x, 0);
}

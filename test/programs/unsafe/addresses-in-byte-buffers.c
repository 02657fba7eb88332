// lazuli: expect unsafe; unwind 1; rounds 3
// Addresses are swapped through a buffer of characters and copied byte by byte to where another thread reads.
#include <string.h>
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void swap(void *a, void *b, size_t n) {
  char tmp[16];
  memcpy(tmp, a, n); memcpy(a, b, n); memcpy(b, tmp, n);
}
static int *p, *q;
void *t(void *u) {
  int *mine = malloc(sizeof(int)); *mine = 7;
  int *other = malloc(sizeof(int)); *other = 9;
  swap(&mine, &other, sizeof mine);
  __VERIFIER_atomic_begin();
  memcpy(&p, &mine, sizeof p); q = other;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t x; pthread_create(&x, 0, t, 0);
  int *a, *b;
  __VERIFIER_atomic_begin(); a = p; b = q; __VERIFIER_atomic_end();
  if (a) assert(*a == 7);
  pthread_join(x, 0);
}

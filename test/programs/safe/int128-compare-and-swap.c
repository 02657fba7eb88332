// lazuli: expect safe; unwind 3; rounds 3; LP64
// Two words in one: compare-and-swap of 16 bytes.
#include <pthread.h>
#include <assert.h>
typedef unsigned __int128 u128;
static u128 word;
#define LO(x) ((unsigned long)(x))
#define HI(x) ((unsigned long)((x) >> 64))
void *t(void *u) {
  for (int i = 0; i < 3; i++) {
    u128 old = word;
    u128 new = ((u128)(HI(old) + 1) << 64) | (LO(old) + 2);
    if (__sync_bool_compare_and_swap(&word, old, new)) return (void *)1;
  }
  return 0;
}
int main(void) {
  pthread_t a, b; void *x, *y;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_join(a, &x); pthread_join(b, &y);
  if (x && y) assert(HI(word) == 2 && LO(word) == 4);
}

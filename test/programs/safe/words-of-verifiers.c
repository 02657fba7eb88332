// lazuli: expect safe; unwind 1; rounds 2
// Atomic sections, assumptions and assertions in the words of CBMC and ESBMC, which programs do not declare.
#include <pthread.h>
int x, y;
int nondet_int();
void *work(void *u) {
  __CPROVER_atomic_begin();
  x++;
  x++;
  __CPROVER_atomic_end();
  __ESBMC_atomic_begin();
  y++;
  y++;
  __ESBMC_atomic_end();
  return u;
}
int main(void) {
  pthread_t t;
  int k = nondet_int();
  __CPROVER_assume(k > 3);
  __ESBMC_assume(k < 6);
  pthread_create(&t, 0, work, 0);
  __CPROVER_assert(x == 0 || x == 2, "two at once");
  __ESBMC_assert(y == 0 || y == 2, "two at once");
  __ESBMC_assert(k == 4 || k == 5, "as assumed");
  pthread_join(t, 0);
  return 0;
}

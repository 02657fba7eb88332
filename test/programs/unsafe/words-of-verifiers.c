// lazuli: expect unsafe; unwind 1; rounds 2
// An assertion in the words of ESBMC, which programs do not declare.
#include <pthread.h>
int x;
void *work(void *u) {
  x++;
  x++;
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  __ESBMC_assert(x != 1, "two at once");
  pthread_join(t, 0);
  return 0;
}

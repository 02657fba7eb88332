// lazuli: expect unsafe; unwind 2; rounds 3
// Each of two threads waits, in a loop, for a flag that nobody sets.
#include <pthread.h>

static volatile int first, second;

static void *wait_first(void *unused) {
  while (!first) ;
  return unused;
}

static void *wait_second(void *unused) {
  while (second == 0) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait_first, 0);
  pthread_create(&b, 0, wait_second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// Main joins a thread that waits for the end of main.
#include <pthread.h>

static pthread_t first;

static void *wait_for_main(void *unused) {
  pthread_join(first, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  first = pthread_self();
  pthread_create(&a, 0, wait_for_main, 0);
  pthread_join(a, 0);
  return 0;
}

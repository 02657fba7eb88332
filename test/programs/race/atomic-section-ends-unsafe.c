// lazuli: expect unsafe; unwind 1; rounds 3
// The program ends in an atomic section for whatever it can read there; that it has read it is a race all the same.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count, total;

static void *look(void *unused) {
  __VERIFIER_atomic_begin();
  if (count != 1) abort();
  if (total) count = 2;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  count = 0;
  return 0;
}

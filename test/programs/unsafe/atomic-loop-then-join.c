// lazuli: expect unsafe; unwind 2; rounds 2; LP64
// Main leaves an atomic section with a loop, and waits for a thread that has one itself. Fails in every execution.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int sum;

void add(void) {
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++)
    sum += i;
  __VERIFIER_atomic_end();
}

void *run(void *unused) {
  add();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  add();
  pthread_join(t, 0);
  assert(0);
}

// lazuli: expect unsafe; unwind 2; rounds 2; LP64
// Between an atomic section with a loop and what comes after it, the other thread answers.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int asked, answer, turns;

void *run(void *unused) {
  if (asked)
    answer = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  __VERIFIER_atomic_begin();
  asked = 1;
  for (int i = 0; i < 2; i++)
    turns += i;
  __VERIFIER_atomic_end();
  assert(answer == 0);
}

// lazuli: expect unsafe; unwind 3; rounds 3; LP64
// A spin lock whose loop waits longer and longer, and goes on without the lock once it has waited long enough.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int inside;

void *work(void *unused) {
  int turns = 1;
  while (atomic_flag_test_and_set(&taken)) {
    for (int i = 0; i < turns; i++) ;
    if (turns < 2) turns *= 2;
    else break;
  }
  inside++;
  assert(inside == 1);
  inside--;
  atomic_flag_clear(&taken);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

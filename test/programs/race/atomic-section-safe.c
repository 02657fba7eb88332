// lazuli: expect safe; unwind 2; rounds 3
// Sections of the competition do not race with each other.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *one(void *unused) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  return unused;
}

static void *two(void *unused) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

// lazuli: expect unknown: unsupported: a look at identifiers of threads, where it depends on the execution which are created first
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t sometimes, always;
  int input = __VERIFIER_nondet_int();
  if (input * input != 1041 * 1041) pthread_create(&sometimes, 0, work, 0);
  pthread_create(&always, 0, work, 0);
  // The first thread's is 2, if there is one before.
  assert((unsigned long)always == 3);
  return 0;
}

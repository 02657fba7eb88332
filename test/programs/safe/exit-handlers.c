// lazuli: expect safe; unwind 2; rounds 2
// Exit handlers run when main is left in any way: by a return, by the end of the last thread, by exit in a thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int open_files = 1;
static void close_file(void) { open_files--; }
static void verify(void) { assert(open_files == 0); }
static void *worker(void *ends) {
  if (ends) exit(0);
  return 0;
}
int main(void) {
  pthread_t t;
  atexit(verify);
  if (atexit(close_file)) abort();
  pthread_create(&t, 0, worker, __VERIFIER_nondet_int() ? &t : 0);
  if (__VERIFIER_nondet_int()) pthread_exit(0);
  return 0;
}

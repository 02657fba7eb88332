// lazuli: expect safe; unwind 1; rounds 2
// Functions without a body that are given nothing they may change, and a log with texts behind a format.
#include <assert.h>
#include <pthread.h>

static int x = 1;
extern int measure(const int *p);
extern void report(const char *format, ...);

static void *worker(void *argument) {
  report("%s %d", (char *)argument, x);
  return 0;
}

int main(void) {
  pthread_t thread;
  int seen = measure(&x);
  pthread_create(&thread, 0, worker, "worker");
  assert(x == 1);
  assert(seen % 3 < 3);
  pthread_join(thread, 0);
  return 0;
}

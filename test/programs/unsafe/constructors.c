// lazuli: expect unsafe; unwind 2; rounds 2
// The thread that the constructor starts runs beside main.
#include <assert.h>
#include <pthread.h>
static int ready;
static pthread_t helper;
static void *help(void *unused) {
  ready = 1;
  return unused;
}
__attribute__((constructor)) static void start(void) { pthread_create(&helper, 0, help, 0); }
__attribute__((destructor)) static void stop(void) { pthread_join(helper, 0); }
int main(void) {
  assert(ready);
  return 0;
}

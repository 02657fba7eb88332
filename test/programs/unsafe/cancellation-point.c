// lazuli: expect unsafe; unwind 1; rounds 3; LP64
// Whether the thread comes past its cancellation point before it is cancelled is open.
#include <assert.h>
#include <pthread.h>

static int done;

static void *work(void *argument) {
  pthread_testcancel();
  done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(done);
  return 0;
}

// lazuli: expect unknown: unsupported: asynchronous cancellation is not modelled
#include <pthread.h>

static void *work(void *argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (;;) { }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// A thread that joins itself gets an error at once: a loop around that goes round for ever, if nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *work(void *unused) {
  (void)unused;
  while (!flag) pthread_join(pthread_self(), 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}

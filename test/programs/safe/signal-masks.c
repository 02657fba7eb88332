// lazuli: expect safe; unwind 1; rounds 2; LP64
// Masks of threads are their own, sets are what was put into them.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static void *worker(void *arg) {
  sigset_t mine, again;
  assert(pthread_sigmask(SIG_BLOCK, 0, &mine) == 0);
  sigdelset(&mine, SIGTERM);
  pthread_sigmask(SIG_SETMASK, &mine, 0);
  pthread_sigmask(SIG_BLOCK, 0, &again);
  assert(!sigismember(&again, SIGTERM) && sigismember(&again, SIGINT) == sigismember(&mine, SIGINT));
  return arg;
}
int main(void) {
  sigset_t set, old;
  pthread_t thread;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigdelset(&set, SIGINT);
  assert(sigismember(&set, SIGTERM) && !sigismember(&set, SIGINT));
  pthread_create(&thread, 0, worker, 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0);
  assert(sigprocmask(SIG_SETMASK, &old, &set) == 0);
  assert(sigismember(&set, SIGTERM) && !sigismember(&old, SIGTERM));
  assert(sigaddset(&set, 65) == -1);
  pthread_join(thread, 0);
  return 0;
}

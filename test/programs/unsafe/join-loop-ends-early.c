// lazuli: expect unsafe; unwind 3; rounds 2
// One of the threads that a loop creates is not joined.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int busy;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  pthread_mutex_lock(&m);
  busy = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  busy = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[100];
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100) return 0;
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 1; i < n; i++) pthread_join(t[i], 0);
  assert(busy == 0);
  return 0;
}

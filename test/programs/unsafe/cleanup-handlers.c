// lazuli: expect unsafe; unwind 1; rounds 3
// A thread that exits with a mutex locked blocks the other one, unless a cleanup handler unlocks it.
#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void unlock(void *p) { pthread_mutex_unlock(p); }
void *t(void *a) {
  pthread_mutex_lock(&m);
  x++;
  if (a) pthread_exit(0);
  pthread_mutex_unlock(&m);
  x = x + 10;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, &a);
  pthread_join(b, 0);
  assert(x == 1);
}

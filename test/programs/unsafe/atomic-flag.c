// lazuli: expect unsafe; unwind 2; rounds 3
// A spin lock that nobody takes.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;
void *t(void *a) {
  int y = x; x = y + 1;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(x == 2);
}

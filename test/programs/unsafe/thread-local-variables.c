// lazuli: expect unsafe; unwind 1; rounds 2
// Each thread has a copy that starts with the initial value.
#include <pthread.h>
#include <assert.h>
static _Thread_local int local = 5;
__thread int counter;
static int total;
void *t(void *a) {
  local++; counter += 2;
  assert(local == 7);
  return 0;
}
int main(void) {
  pthread_t a, b;
  local = 1;
  pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(local == 1 && counter == 0);
}

// lazuli: expect unsafe; unwind 1; rounds 2; LP64
#include <assert.h>
#include <pthread.h>
extern int counter;
void add(int);
static void *worker(void *arg) {
  add(1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}

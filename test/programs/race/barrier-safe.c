// lazuli: expect safe; unwind 2; rounds 3
// A barrier lies between the two.
#include <pthread.h>

static pthread_barrier_t b;
static int x;

static void *one(void *unused) {
  x = 1;
  pthread_barrier_wait(&b);
  return unused;
}

static void *two(void *unused) {
  pthread_barrier_wait(&b);
  x = 2;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 2; rounds 3
// An atomic access races with a plain one.
#include <pthread.h>

static int x;

static void *one(void *unused) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void *two(void *unused) {
  x = 2;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

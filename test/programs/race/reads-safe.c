// lazuli: expect safe; unwind 2; rounds 3
// Both only read.
#include <pthread.h>

static int x = 1;

static void *one(void *unused) {
  int a = x;
  (void)a;
  return unused;
}

static void *two(void *unused) {
  int a = x;
  (void)a;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  x = 2;
  return 0;
}

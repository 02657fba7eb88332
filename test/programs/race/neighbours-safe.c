// lazuli: expect safe; unwind 2; rounds 3
// Members beside one another are memory locations of their own.
#include <pthread.h>

static struct { char a, b; } s;

static void *one(void *unused) {
  s.a = 1;
  return unused;
}

static void *two(void *unused) {
  s.b = 1;
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

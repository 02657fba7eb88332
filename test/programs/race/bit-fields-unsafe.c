// lazuli: expect unsafe; unwind 2; rounds 3
// Bit-fields beside one another share a memory location.
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } s;

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

// lazuli: expect safe; unwind 2; rounds 3
// Main looks after it has joined.
#include <pthread.h>

static int x;

static void *one(void *unused) {
  x = 1;
  return unused;
}

static void *two(void *unused) {
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  x++;
  return 0;
}

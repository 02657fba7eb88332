// lazuli: expect safe; unwind 1; rounds 3; LP64
// Start routines with fewer or narrower parameters and without a result, as real code casts them.
#include <assert.h>
#include <pthread.h>

typedef void *(*routine)(void *);

static int a, b, c, d, e;

static void nothing(void) {
  a = 1;
}

static int number(void) {
  b = 1;
  return 0;
}

static void *narrow(int value) {
  c = value;
  return 0;
}

static void *byte(signed char value) {
  d = value;
  return 0;
}

static void *word(unsigned short value) {
  e = value;
  return 0;
}

int main(void) {
  pthread_t threads[5];
  pthread_create(&threads[0], 0, (routine)nothing, 0);
  pthread_create(&threads[1], 0, (routine)number, 0);
  pthread_create(&threads[2], 0, (routine)narrow, (void *)-3l);
  pthread_create(&threads[3], 0, (routine)byte, (void *)0x1f0l);
  pthread_create(&threads[4], 0, (routine)word, (void *)0x54321l);
  for (int i = 0; i < 5; i++) pthread_join(threads[i], 0);
  assert(a == 1 && b == 1 && c == -3 && d == -16 && e == 0x4321);
  return 0;
}

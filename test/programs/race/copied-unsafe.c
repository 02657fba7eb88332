// lazuli: expect unsafe; unwind 2; rounds 3
// A record is copied while it is written.
#include <pthread.h>

#include <string.h>

static struct record { int words[4]; } from, to;

static void *one(void *unused) {
  memcpy(&to, &from, sizeof to);
  return unused;
}

static void *two(void *unused) {
  from.words[2] = 1;
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

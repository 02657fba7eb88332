// lazuli: expect safe; unwind 2; rounds 3
// Whoever takes the mutex gives it back before it ends.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value, given;

static void *take(void *unused) {
  pthread_mutex_lock(&m);
  if (value >= 0) value++;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *give(void *unused) {
  pthread_mutex_lock(&m);
  value = -1;
  pthread_mutex_unlock(&m);
  given = 1;
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, give, 0);
  pthread_create(&b, 0, take, 0);
  pthread_create(&c, 0, take, 0);
  pthread_join(a, 0);
  return given - 1;
}

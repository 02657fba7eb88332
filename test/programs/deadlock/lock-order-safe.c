// lazuli: expect safe; unwind 2; rounds 3
// Two threads take two locks in the same order.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *forwards(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  shared++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *backwards(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  shared--;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, forwards, 0);
  pthread_create(&second, 0, backwards, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}

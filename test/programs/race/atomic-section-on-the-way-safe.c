// lazuli: expect safe; unwind 1; rounds 3
// On its way to a section of others a thread passes an atomic section of which nobody else knows anything.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int own, count;

static void *add(void *unused) {
  __VERIFIER_atomic_begin();
  count++;
  __VERIFIER_atomic_end();
  return unused;
}

static void *clear(void *unused) {
  __VERIFIER_atomic_begin();
  own = 1;
  __VERIFIER_atomic_end();
  pthread_mutex_lock(&mutex);
  __VERIFIER_atomic_begin();
  count = 0;
  __VERIFIER_atomic_end();
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, clear, 0);
  return 0;
}

// lazuli: expect unsafe; unwind 3; rounds 3
// The lock ends with the inner block: the test and the addition are two critical sections.
#include <pthread.h>
#include <assert.h>
typedef struct { pthread_mutex_t *lock; } guard_t;
static guard_t take(pthread_mutex_t *lock) { pthread_mutex_lock(lock); return (guard_t){lock}; }
static void drop(guard_t *guard) { pthread_mutex_unlock(guard->lock); }
#define GUARD(lock) guard_t guard __attribute__((cleanup(drop))) = take(lock)
#define SCOPED_GUARD(lock) \
  for (guard_t guard __attribute__((cleanup(drop))) = take(lock), *done = 0; !done; done = &guard)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, limit = 2;
static int add(int step) {
  int next;
  {
    GUARD(&m);
    if (count >= limit) return count;
    next = count + step;
  }
  GUARD(&m);
  return count = next;
}
void *worker(void *u) {
  int seen = add(1);
  assert(seen == 1 || seen == 2);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  SCOPED_GUARD(&m) {
    if (count >= limit) break;
    count++;
  }
  pthread_join(t, 0);
  assert(count == 2);
  return 0;
}

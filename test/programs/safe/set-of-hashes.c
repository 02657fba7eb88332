// lazuli: expect safe; unwind 4; rounds 3
// A set without locks, in which two threads insert the same number.
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
extern void abort(void);
void reach_error() { assert(0); }
#define ASSERT(x) do { if (!(x)) { reach_error(); abort(); } } while (0)
/* lock-free hash set with open addressing */
#define CAP 4
atomic_int table[CAP];
static unsigned hash(int x) { return (unsigned)x * 2654435761u; }
int insert(int x) {
  unsigned h = hash(x);
  for (int i = 0; i < CAP; i++) {
    unsigned at = (h + i) % CAP;
    int seen = 0;
    if (atomic_compare_exchange_strong(&table[at], &seen, x)) return 1;
    if (seen == x) return 0;
  }
  return 0;
}
int contains(int x) {
  unsigned h = hash(x);
  for (int i = 0; i < CAP; i++) {
    int v = atomic_load(&table[(h + i) % CAP]);
    if (v == x) return 1;
    if (v == 0) return 0;
  }
  return 0;
}
atomic_int inserted;
void *worker(void *arg) {
  long id = (long)arg;
  inserted += insert(1);
  inserted += insert(2 + (int)id);
  return NULL;
}
int main() {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  ASSERT(inserted == 3);
  ASSERT(contains(1) && contains(2) && contains(3) && !contains(4));
  return 0;
}

// Spin locks of several kinds, one after the other.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
atomic_flag bit = ATOMIC_FLAG_INIT; atomic_int word; int plain, count; pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void add(void) { int seen = count; count = seen + 1; }
void *run(void *u) {
  while (atomic_flag_test_and_set(&bit)) sched_yield();
  add(); atomic_flag_clear(&bit);
  while (__sync_lock_test_and_set(&plain, 1)) while (plain) __asm__ volatile("pause");
  add(); __sync_lock_release(&plain);
  int expected = 0;
  while (!atomic_compare_exchange_weak(&word, &expected, 1)) { expected = 0; usleep(10); }
  add(); word = 0;
  while (pthread_mutex_trylock(&mutex) != 0) ;
  add(); pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0); pthread_join(a, 0); pthread_join(b, 0); assert(count >= 2 && count <= 8); }

/* Barriers. Words of the object: 0 is the number of threads to wait for, 0 when destroyed; 1 counts those that have
   come; 2 is the number of the phase; 3 says that the phase has its serial thread.

   A thread comes in one step and leaves in another, which waits for the phase to pass. Phases are numbered, so that a
   slow waiter leaves even when the next phase is complete before it wakes up. POSIX does not say which thread is the
   serial one: any of them may claim that on coming, and the last has to when none did. */
#include "constants.h"
#include "primitives.h"

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes,
                         unsigned int count) {
  int *words = (int *)barrier;
  (void)attributes;
  if (count == 0) return __LAZULI_EINVAL;
  __lazuli_atomic_begin();
  words[0] = (int)count;
  words[1] = 0;
  words[2] = 0;
  words[3] = 0;
  __lazuli_atomic_end();
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  int *words = (int *)barrier;
  __lazuli_atomic_begin();
  __lazuli_assert(words[0] != 0, "mutex", "destruction of a barrier that is not initialized");
  __lazuli_assert(words[1] == 0, "mutex", "destruction of a barrier that threads wait at");
  words[0] = 0;
  __lazuli_atomic_end();
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  int *words = (int *)barrier;
  int phase, last, serial = 0;
  __lazuli_atomic_begin();
  __lazuli_assert(words[0] != 0, "mutex", "wait at a barrier that is not initialized");
  phase = words[2];
  last = words[1] + 1 >= words[0];
  if (words[3] == 0) serial = last || __lazuli_nondet_bool();
  if (last) {
    words[1] = 0;
    words[2] = phase + 1;
    words[3] = 0;
  } else {
    words[1] = words[1] + 1;
    if (serial) words[3] = 1;
  }
  __lazuli_atomic_end();
  if (!last) {
    __lazuli_atomic_begin();
    __lazuli_assume(words[2] != phase);
    __lazuli_atomic_end();
  }
  return serial ? -1 : 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) return __LAZULI_EINVAL;
  *(int *)attributes = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attributes, int *restrict shared) {
  *shared = *(const int *)attributes;
  return 0;
}

/* Condition variables. With spurious wake-ups allowed (the default) to wait is to release the mutex and, in a later
   step, to take it again: every execution in which a signal wakes the waiter is among these, so signals need no effect.

   Without them (__LAZULI_SPURIOUS_WAKEUPS 0) the first words of the object hold one bit for each waiting thread. A
   signal clears the bit of any one waiter, a broadcast clears all, and a waiter goes on once its bit is cleared: a
   signal cannot be lost to a thread that began to wait after it, and no waiter goes on without one.

   Where deadlocks are looked for (__LAZULI_DEADLOCKS 1) both hold: the bits tell who would wait for ever, and a waiter
   may go on without a signal all the same. Whether it does is an input of the step in which it wakes up: a thread that
   could only go on by such luck counts as stuck. Threads beyond those that have a bit always have it. */
#include "constants.h"
#include "primitives.h"

/* No loops over the words: they would be cut where constant loops are. */
#define __LAZULI_CONDITION_WORDS 2
#define __LAZULI_TRACKS_WAITERS (!__LAZULI_SPURIOUS_WAKEUPS || __LAZULI_DEADLOCKS)
#define __LAZULI_CONDITION_DESTROYED 10

static void __lazuli_condition_init(int *condition) {
  __lazuli_atomic_begin();
  condition[0] = condition[1] = 0;
  condition[__LAZULI_CONDITION_DESTROYED] = 0;
  __lazuli_atomic_end();
}

static void __lazuli_condition_check(const int *condition) {
  __lazuli_assert(condition[__LAZULI_CONDITION_DESTROYED] == 0, "mutex", "use of a destroyed condition variable");
}

/* Where nobody keeps who waits the first word stays 0; in memory that nobody wrote it may be anything. */
static void __lazuli_condition_check_initialized(const int *condition) {
  int isValid = __LAZULI_TRACKS_WAITERS ? (unsigned int)condition[__LAZULI_CONDITION_DESTROYED] <= 1 : condition[0] == 0;
  __lazuli_assert(isValid, "mutex", "use of a condition variable that is not initialized");
}

static void __lazuli_condition_destroy(int *condition) {
  __lazuli_atomic_begin();
  __lazuli_condition_check(condition);
  int waiting = condition[0] != 0 || condition[1] != 0;
  __lazuli_assert(!waiting, "mutex", "destruction of a condition variable that threads wait for");
  condition[__LAZULI_CONDITION_DESTROYED] = 1;
  __lazuli_atomic_end();
}

/* One of the bits that are set, any of them. */
static unsigned int __lazuli_any_bit(unsigned int bits) {
  unsigned int some = __lazuli_nondet_uint() & bits;
  if (some == 0) some = bits;
  return some & -some;
}

/* Wakes one waiter, any of them, if there is one. */
static void __lazuli_condition_signal(int *condition) {
  __lazuli_condition_check_initialized(condition);
  __LAZULI_WHEN(__lazuli_condition_destroy) __lazuli_condition_check(condition);
  if (__LAZULI_TRACKS_WAITERS) {
#if __LAZULI_WEAK_MEMORY
    if (condition[0] == 0 && condition[1] == 0) return;
#endif
    __lazuli_atomic_begin();
    unsigned int first = (unsigned int)condition[0], second = (unsigned int)condition[1];
    if (first && (!second || __lazuli_nondet_bool())) {
      condition[0] = (int)(first & ~__lazuli_any_bit(first));
    } else if (second) {
      condition[1] = (int)(second & ~__lazuli_any_bit(second));
    }
    __lazuli_atomic_end();
  }
}

static void __lazuli_condition_broadcast(int *condition) {
  __lazuli_condition_check_initialized(condition);
  __LAZULI_WHEN(__lazuli_condition_destroy) __lazuli_condition_check(condition);
  if (__LAZULI_TRACKS_WAITERS) {
#if __LAZULI_WEAK_MEMORY
    if (condition[0] == 0 && condition[1] == 0) return;
#endif
    __lazuli_atomic_begin();
    condition[0] = condition[1] = 0;
    __lazuli_atomic_end();
  }
}

/* Releases the mutex and begins to wait, in one step; takes the mutex again in another. A timed wait may end at any
   time with ETIMEDOUT, and is never stuck. */
static int __lazuli_condition_wait(int *condition, int *mutex, int timed) {
  int expired = timed && __lazuli_nondet_bool();
  int error, cancelled = 0;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  __lazuli_condition_check_initialized(condition);
  __LAZULI_WHEN(__lazuli_condition_destroy) __lazuli_condition_check(condition);
  if (!__LAZULI_TRACKS_WAITERS || (__LAZULI_SPURIOUS_WAKEUPS && __lazuli_self() >= 32 * __LAZULI_CONDITION_WORDS)) {
    error = __lazuli_mutex_unlock(mutex);
    if (error != 0) return error;
  } else {
    unsigned int self = __lazuli_self();
    int bit = (int)(1u << self % 32);
    if (self >= 32 * __LAZULI_CONDITION_WORDS) __lazuli_unsupported("more than 64 threads with exact wake-ups");
    __lazuli_atomic_begin();
    error = __lazuli_mutex_release(mutex);
    if (error == 0) condition[self / 32] |= bit;
    __lazuli_atomic_end();
    if (error != 0) return error;
    __lazuli_atomic_begin();
    if (condition[self / 32] & bit) {
      expired = timed;
      __LAZULI_WHEN(pthread_cancel) cancelled = __lazuli_is_cancelled();
      __lazuli_assume(timed || cancelled || (__LAZULI_SPURIOUS_WAKEUPS && __lazuli_nondet_bool()));
      condition[self / 32] &= ~bit;
    }
    __lazuli_atomic_end();
  }
  error = __lazuli_mutex_lock(mutex, 0);
  /* Who is cancelled while waiting has the mutex again when its cleanup handlers run. */
  __LAZULI_WHEN(pthread_cancel) if (cancelled || __lazuli_is_cancelled()) __lazuli_end_cancelled();
  if (error != 0) return error;
  return expired ? __LAZULI_ETIMEDOUT : 0;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
  (void)attributes;
  __lazuli_condition_init((int *)condition);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  __lazuli_condition_destroy((int *)condition);
  return 0;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  __lazuli_condition_signal((int *)condition);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  __lazuli_condition_broadcast((int *)condition);
  return 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  return __lazuli_condition_wait((int *)condition, (int *)mutex, 0);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  (void)deadline;
  return __lazuli_condition_wait((int *)condition, (int *)mutex, 1);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
  (void)clock;
  (void)deadline;
  return __lazuli_condition_wait((int *)condition, (int *)mutex, 1);
}

#define __LAZULI_CONDITION_CLOCK 0, 0xff
#define __LAZULI_CONDITION_SHARED 8, 1

int pthread_condattr_init(pthread_condattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != 0 && clock != 1) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_CONDITION_CLOCK, clock);
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes, clockid_t *restrict clock) {
  *clock = __lazuli_get_bits((const int *)attributes, __LAZULI_CONDITION_CLOCK);
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_CONDITION_SHARED, shared);
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attributes, int *restrict shared) {
  *shared = __lazuli_get_bits((const int *)attributes, __LAZULI_CONDITION_SHARED);
  return 0;
}

/* Semaphores. Words of the object: 0 is the value, 1 tells what became of it: there is no static initializer, so that
   zeros are no semaphore. Named semaphores live in a small table. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_NAMED_SEMAPHORES 4

#define __LAZULI_SEMAPHORE 0x5e3a
#define __LAZULI_SEMAPHORE_DESTROYED 0xdead

/* Inside an atomic section. */
static void __lazuli_semaphore_check(const int *words) {
  int state = words[1];
  __lazuli_assert(state != __LAZULI_SEMAPHORE_DESTROYED, "mutex", "use of a destroyed semaphore");
  __lazuli_assert(state == __LAZULI_SEMAPHORE || state == __LAZULI_SEMAPHORE_DESTROYED, "mutex",
                  "use of a semaphore that is not initialized");
}

int sem_init(sem_t *semaphore, int shared, unsigned int value) {
  int *words = (int *)semaphore;
  (void)shared;
  if (value > __LAZULI_INT_MAX) {
    *__errno_location() = __LAZULI_EINVAL;
    return -1;
  }
  __lazuli_atomic_begin();
  words[0] = (int)value;
  words[1] = __LAZULI_SEMAPHORE;
  __lazuli_atomic_end();
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  int *words = (int *)semaphore;
  __lazuli_atomic_begin();
  __lazuli_semaphore_check(words);
  words[1] = __LAZULI_SEMAPHORE_DESTROYED;
  __lazuli_atomic_end();
  return 0;
}

int sem_wait(sem_t *semaphore) {
  int *words = (int *)semaphore;
  int value, cancelled = 0;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  __lazuli_atomic_begin();
  __lazuli_semaphore_check(words);
  value = words[0];
  __LAZULI_WHEN(pthread_cancel) cancelled = value <= 0 && __lazuli_is_cancelled();
  __lazuli_assume((value > 0) | cancelled);
  if (!cancelled) words[0] = value - 1;
  __lazuli_atomic_end();
  __LAZULI_WHEN(pthread_cancel) if (cancelled) __lazuli_end_cancelled();
  return 0;
}

/* Takes the semaphore if it can be taken at once, and else fails with the error. */
static int __lazuli_semaphore_try(int *words, int error) {
  int value;
  __lazuli_atomic_begin();
  __lazuli_semaphore_check(words);
  value = words[0];
  if (value > 0) words[0] = value - 1;
  __lazuli_atomic_end();
  if (value > 0) return 0;
  *__errno_location() = error;
  return -1;
}

int sem_trywait(sem_t *semaphore) {
  return __lazuli_semaphore_try((int *)semaphore, __LAZULI_EAGAIN);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  (void)deadline;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return __lazuli_semaphore_try((int *)semaphore, __LAZULI_ETIMEDOUT);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict deadline) {
  (void)clock;
  (void)deadline;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return __lazuli_semaphore_try((int *)semaphore, __LAZULI_ETIMEDOUT);
}

int sem_post(sem_t *semaphore) {
  int *words = (int *)semaphore;
  int value;
  __lazuli_atomic_begin();
  __lazuli_semaphore_check(words);
  value = words[0];
  if (value < __LAZULI_INT_MAX) words[0] = value + 1;
  __lazuli_atomic_end();
  if (value < __LAZULI_INT_MAX) return 0;
  *__errno_location() = __LAZULI_EOVERFLOW;
  return -1;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  int *words = (int *)semaphore;
  int current;
  __lazuli_atomic_begin();
  __lazuli_semaphore_check(words);
  current = words[0];
  __lazuli_atomic_end();
  *value = current;
  return 0;
}

static const char *__lazuli_semaphore_names[__LAZULI_NAMED_SEMAPHORES];

static int __lazuli_semaphore_words[__LAZULI_NAMED_SEMAPHORES][8];

/* Opens the semaphore of that name, or makes it when the flags have O_CREAT (64); O_EXCL is 128. */
sem_t *sem_open(const char *name, int flags, ...) {
  int found = -1, place = -1;
  __builtin_va_list arguments;
  __lazuli_atomic_begin();
  for (int i = __LAZULI_NAMED_SEMAPHORES - 1; i >= 0; i--) {
    if (__lazuli_semaphore_names[i] == 0) {
      place = i;
    } else if (strcmp(__lazuli_semaphore_names[i], name) == 0) {
      found = i;
    }
  }
  if (found < 0 && flags & 64) {
    if (place < 0) __lazuli_unsupported("more than 4 named semaphores");
    __lazuli_semaphore_names[place] = name;
    __builtin_va_start(arguments, flags);
    (void)__builtin_va_arg(arguments, unsigned int);
    __lazuli_semaphore_words[place][0] = (int)__builtin_va_arg(arguments, unsigned int);
    __builtin_va_end(arguments);
    __lazuli_semaphore_words[place][1] = __LAZULI_SEMAPHORE;
  } else {
    if (flags & 128) found = -1;
    place = found;
  }
  __lazuli_atomic_end();
  if (place >= 0) return (sem_t *)__lazuli_semaphore_words[place];
  *__errno_location() = flags & 128 ? __LAZULI_EEXIST : __LAZULI_ENOENT;
  return (sem_t *)0;
}

int sem_close(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}

int sem_unlink(const char *name) {
  int found = 0;
  __lazuli_atomic_begin();
  for (int i = 0; i < __LAZULI_NAMED_SEMAPHORES; i++) {
    if (__lazuli_semaphore_names[i] && strcmp(__lazuli_semaphore_names[i], name) == 0) found = 1;
  }
  __lazuli_atomic_end();
  if (found) return 0;
  *__errno_location() = __LAZULI_ENOENT;
  return -1;
}

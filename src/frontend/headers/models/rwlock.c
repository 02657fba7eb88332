/* Read-write locks. Word 0 of the object: the number of readers, or -1 when destroyed. Word 2: 0, or the number of the
   thread that writes, and one more. Two words, since each of them is simple for itself: proofs count the readers. Who
   the readers are is not kept: that a thread unlocks which does not read is only seen when nobody reads. Word 1 is 0;
   in memory that nobody wrote it may be anything. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_RWLOCK_DESTROYED (-1)
#define __LAZULI_READERS 0
#define __LAZULI_WRITER 2

/* Inside an atomic section. */
static void __lazuli_rwlock_check(const int *lock) {
  __lazuli_assert(lock[1] == 0, "mutex", "use of a read-write lock that is not initialized");
}

static int __lazuli_rwlock_self(void) {
  return (int)__lazuli_self() + 1;
}

static int __lazuli_rwlock_read(int *lock, int failure) {
  int readers, writer, result = 0;
  __lazuli_atomic_begin();
  __lazuli_rwlock_check(lock);
  readers = lock[__LAZULI_READERS];
  writer = lock[__LAZULI_WRITER];
  __lazuli_assert(readers != __LAZULI_RWLOCK_DESTROYED, "mutex", "lock of a destroyed read-write lock");
  if (writer == __lazuli_rwlock_self() && failure != __LAZULI_EBUSY) {
    result = __LAZULI_EDEADLK;
  } else if (failure && writer != 0) {
    result = failure;
  } else {
    __lazuli_assume(writer == 0);
    lock[__LAZULI_READERS] = readers + 1;
  }
  __lazuli_atomic_end();
  return result;
}

static int __lazuli_rwlock_write(int *lock, int failure) {
  int readers, writer, result = 0;
  __lazuli_atomic_begin();
  __lazuli_rwlock_check(lock);
  readers = lock[__LAZULI_READERS];
  writer = lock[__LAZULI_WRITER];
  __lazuli_assert(readers != __LAZULI_RWLOCK_DESTROYED, "mutex", "lock of a destroyed read-write lock");
  if (writer == __lazuli_rwlock_self() && failure != __LAZULI_EBUSY) {
    result = __LAZULI_EDEADLK;
  } else if (failure && (readers != 0 || writer != 0)) {
    result = failure;
  } else {
    __lazuli_assume(writer == 0 && (readers == 0 || readers == __LAZULI_RWLOCK_DESTROYED));
    lock[__LAZULI_WRITER] = __lazuli_rwlock_self();
  }
  __lazuli_atomic_end();
  return result;
}

static void __lazuli_rwlock_unlock(int *lock) {
  int readers, writer;
  __lazuli_atomic_begin();
  __lazuli_rwlock_check(lock);
  readers = lock[__LAZULI_READERS];
  writer = lock[__LAZULI_WRITER];
  __lazuli_assert(readers != __LAZULI_RWLOCK_DESTROYED, "mutex", "unlock of a destroyed read-write lock");
  __lazuli_assert(readers != 0 || writer != 0, "mutex", "unlock of a read-write lock that is not locked");
  __lazuli_assert(writer == 0 || writer == __lazuli_rwlock_self(), "mutex",
                  "unlock of a read-write lock that another thread writes under");
  if (writer != 0) {
    lock[__LAZULI_WRITER] = 0;
  } else if (readers > 0) {
    lock[__LAZULI_READERS] = readers - 1;
  }
  __lazuli_atomic_end();
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
  int *words = (int *)lock;
  (void)attributes;
  __lazuli_atomic_begin();
  words[__LAZULI_READERS] = 0;
  words[1] = 0;
  words[__LAZULI_WRITER] = 0;
  __lazuli_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  int *words = (int *)lock, readers, writer;
  __lazuli_atomic_begin();
  __lazuli_rwlock_check(words);
  readers = words[__LAZULI_READERS];
  writer = words[__LAZULI_WRITER];
  __lazuli_assert(readers != __LAZULI_RWLOCK_DESTROYED, "mutex", "destruction of a destroyed read-write lock");
  __lazuli_assert(readers <= 0 && writer == 0, "mutex", "destruction of a locked read-write lock");
  words[__LAZULI_READERS] = __LAZULI_RWLOCK_DESTROYED;
  __lazuli_atomic_end();
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return __lazuli_rwlock_read((int *)lock, 0);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  return __lazuli_rwlock_read((int *)lock, __LAZULI_EBUSY);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  (void)deadline;
  return __lazuli_rwlock_read((int *)lock, __LAZULI_ETIMEDOUT);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return __lazuli_rwlock_write((int *)lock, 0);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return __lazuli_rwlock_write((int *)lock, __LAZULI_EBUSY);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
  (void)deadline;
  return __lazuli_rwlock_write((int *)lock, __LAZULI_ETIMEDOUT);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __lazuli_rwlock_unlock((int *)lock);
  return 0;
}

#define __LAZULI_RWLOCK_KIND 0, 0xff
#define __LAZULI_RWLOCK_SHARED 8, 1

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_RWLOCK_SHARED, shared);
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attributes, int *restrict shared) {
  *shared = __lazuli_get_bits((const int *)attributes, __LAZULI_RWLOCK_SHARED);
  return 0;
}

/* Who is preferred does not change which executions there are. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  if (kind < 0 || kind > 2) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_RWLOCK_KIND, kind);
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attributes, int *restrict kind) {
  *kind = __lazuli_get_bits((const int *)attributes, __LAZULI_RWLOCK_KIND);
  return 0;
}

/* Mutexes. Words of the object: 0 is the owner's number plus one, 0 when free, -1 when destroyed; 1 counts the owner's
   locks beyond the first (recursive); 2 says what became of a robust mutex whose owner ended; the kind lies where glibc
   keeps it, so that its static initializers mean what they say. An object of zeros is a free normal mutex, however it
   came by them. Memory that nobody wrote holds anything, and then word 2 may hold what no mutex has there.

   A normal mutex that its owner locks again waits for ever. Unlock by a non-owner is a violation for a normal mutex and
   EPERM for the other kinds, as POSIX has it. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_MUTEX_DESTROYED (-1)
#ifdef __LP64__
#define __LAZULI_MUTEX_KIND 4
#else
#define __LAZULI_MUTEX_KIND 3
#endif
#define __LAZULI_RECURSIVE 1
#define __LAZULI_ERRORCHECK 2
#define __LAZULI_TYPE_BITS 3
#define __LAZULI_ROBUST 16
#define __LAZULI_OWNER_ENDED 1
#define __LAZULI_NOT_RECOVERABLE 2

static void __lazuli_mutex_init(int *mutex, int kind) {
  __lazuli_atomic_begin();
  mutex[0] = 0;
  mutex[1] = 0;
  mutex[2] = 0;
  mutex[__LAZULI_MUTEX_KIND] = kind;
  __lazuli_atomic_end();
}

/* Inside an atomic section: takes a robust mutex whose owner ended without unlocking it. */
static int __lazuli_mutex_inherit(int *mutex, int owner) {
  if (mutex[2] == __LAZULI_NOT_RECOVERABLE) return __LAZULI_ENOTRECOVERABLE;
  if (owner == 0 || owner == __LAZULI_MUTEX_DESTROYED || !__lazuli_thread_finished[owner - 1]) return 0;
  mutex[0] = (int)__lazuli_self() + 1;
  mutex[2] = __LAZULI_OWNER_ENDED;
  return __LAZULI_EOWNERDEAD;
}

/* Inside an atomic section. */
static void __lazuli_mutex_check_initialized(const int *mutex) {
  __lazuli_assert((unsigned int)mutex[2] <= __LAZULI_NOT_RECOVERABLE, "mutex", "use of a mutex that is not initialized");
}

static void __lazuli_mutex_check(int owner) {
  __lazuli_assert(owner != __LAZULI_MUTEX_DESTROYED, "mutex", "lock of a destroyed mutex");
}

/* Locks; where that is not possible at once: waits when `failure` is 0, and else gives `failure`. Who waits looks at
   the owner afterwards only: others then need not care whether a lock is let go sooner or later. */
static int __lazuli_mutex_lock(int *mutex, int failure) {
  int self = (int)__lazuli_self() + 1;
  int owner, kind, result = 0;
  __lazuli_atomic_begin();
  __lazuli_mutex_check_initialized(mutex);
  owner = mutex[0];
  kind = mutex[__LAZULI_MUTEX_KIND];
  __LAZULI_WHEN(pthread_mutexattr_setrobust) if (kind & __LAZULI_ROBUST) result = __lazuli_mutex_inherit(mutex, owner);
  if (result == 0) {
    if (owner == self && (kind & __LAZULI_TYPE_BITS) == __LAZULI_RECURSIVE) {
      mutex[1] = mutex[1] + 1;
    } else if (owner == self && (kind & __LAZULI_TYPE_BITS) == __LAZULI_ERRORCHECK) {
      result = failure == __LAZULI_EBUSY ? __LAZULI_EBUSY : __LAZULI_EDEADLK;
    } else if (failure && owner != 0) {
      __LAZULI_WHEN(__lazuli_mutex_destroy) __lazuli_mutex_check(owner);
      result = failure;
    } else {
      __lazuli_assume(owner == 0 || owner == __LAZULI_MUTEX_DESTROYED);
      __LAZULI_WHEN(__lazuli_mutex_destroy) __lazuli_mutex_check(owner);
      mutex[0] = self;
    }
  }
  __lazuli_atomic_end();
  return result;
}

/* Whether the kind makes unlock by a non-owner an error that is returned. */
static int __lazuli_mutex_knows_owner(int kind) {
  int type = kind & __LAZULI_TYPE_BITS;
  return type == __LAZULI_RECURSIVE || type == __LAZULI_ERRORCHECK || (kind & __LAZULI_ROBUST) != 0;
}

/* Inside an atomic section: a robust mutex that was inherited and is unlocked without being made consistent is lost. */
static void __lazuli_mutex_abandon(int *mutex) {
  if (mutex[__LAZULI_MUTEX_KIND] & __LAZULI_ROBUST && mutex[2] == __LAZULI_OWNER_ENDED) {
    mutex[2] = __LAZULI_NOT_RECOVERABLE;
  }
}

/* Inside an atomic section: unlocks. */
static int __lazuli_mutex_release(int *mutex) {
  int self = (int)__lazuli_self() + 1;
  int owner, kind, result = 0;
  __lazuli_mutex_check_initialized(mutex);
  owner = mutex[0];
  kind = mutex[__LAZULI_MUTEX_KIND];
  __LAZULI_WHEN(__lazuli_mutex_destroy) __lazuli_assert(owner != __LAZULI_MUTEX_DESTROYED, "mutex", "unlock of a destroyed mutex");
  if (owner != self && __lazuli_mutex_knows_owner(kind)) {
    result = __LAZULI_EPERM;
  } else if ((kind & __LAZULI_TYPE_BITS) == __LAZULI_RECURSIVE && mutex[1] != 0) {
    mutex[1] = mutex[1] - 1;
  } else {
    __lazuli_assert(owner == self || owner == __LAZULI_MUTEX_DESTROYED, "mutex",
                    "unlock of a mutex by a thread that does not own it");
    __LAZULI_WHEN(pthread_mutexattr_setrobust) __lazuli_mutex_abandon(mutex);
    mutex[0] = 0;
  }
  return result;
}

static int __lazuli_mutex_unlock(int *mutex) {
  int result;
  __lazuli_atomic_begin();
  result = __lazuli_mutex_release(mutex);
  __lazuli_atomic_end();
  return result;
}

static void __lazuli_mutex_destroy(int *mutex) {
  __lazuli_atomic_begin();
  __lazuli_mutex_check_initialized(mutex);
  __lazuli_assert(mutex[0] != __LAZULI_MUTEX_DESTROYED, "mutex", "destruction of a destroyed mutex");
  __lazuli_assert(mutex[0] == 0 || mutex[0] == __LAZULI_MUTEX_DESTROYED, "mutex", "destruction of a locked mutex");
  mutex[0] = __LAZULI_MUTEX_DESTROYED;
  __lazuli_atomic_end();
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  _Static_assert(sizeof(*mutex) > 4 * __LAZULI_MUTEX_KIND, "pthread_mutex_t is smaller than that of <pthread.h>");
  __lazuli_mutex_init((int *)mutex, attributes ? *(const int *)attributes : 0);
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  __lazuli_mutex_destroy((int *)mutex);
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  _Static_assert(sizeof(*mutex) > 4 * __LAZULI_MUTEX_KIND, "pthread_mutex_t is smaller than that of <pthread.h>");
  return __lazuli_mutex_lock((int *)mutex, 0);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return __lazuli_mutex_lock((int *)mutex, __LAZULI_EBUSY);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
  (void)deadline;
  return __lazuli_mutex_lock((int *)mutex, __LAZULI_ETIMEDOUT);
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict deadline) {
  (void)clock;
  (void)deadline;
  return __lazuli_mutex_lock((int *)mutex, __LAZULI_ETIMEDOUT);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  return __lazuli_mutex_unlock((int *)mutex);
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  int *words = (int *)mutex;
  int result = __LAZULI_EINVAL;
  __lazuli_atomic_begin();
  if (words[__LAZULI_MUTEX_KIND] & __LAZULI_ROBUST && words[2] == __LAZULI_OWNER_ENDED) {
    words[2] = 0;
    result = 0;
  }
  __lazuli_atomic_end();
  return result;
}

/* The only word of the attributes is the mutex's kind: the type, the bit of a robust mutex, and what is only read
   back. */
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  int *kind = (int *)attributes;
  if (type < 0 || type > 3) return __LAZULI_EINVAL;
  *kind = (*kind & ~__LAZULI_TYPE_BITS) | type;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict type) {
  *type = *(const int *)attributes & __LAZULI_TYPE_BITS;
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  int *kind = (int *)attributes;
  if (robust < 0 || robust > 1) return __LAZULI_EINVAL;
  *kind = (*kind & ~__LAZULI_ROBUST) | (robust ? __LAZULI_ROBUST : 0);
  return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust) {
  *robust = (*(const int *)attributes & __LAZULI_ROBUST) != 0;
  return 0;
}

/* Sharing between processes and priorities do not change which executions there are: they are kept to be read back. */
#define __LAZULI_MUTEX_SHARED 31, 1
#define __LAZULI_MUTEX_PROTOCOL 28, 3
#define __LAZULI_MUTEX_CEILING 12, 0xfff
#define __LAZULI_PROTOCOL_PROTECT 2

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != 0 && shared != 1) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_MUTEX_SHARED, shared);
  return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attributes, int *restrict shared) {
  *shared = __lazuli_get_bits((const int *)attributes, __LAZULI_MUTEX_SHARED);
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < 0 || protocol > __LAZULI_PROTOCOL_PROTECT) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_MUTEX_PROTOCOL, protocol);
  return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attributes, int *restrict protocol) {
  *protocol = __lazuli_get_bits((const int *)attributes, __LAZULI_MUTEX_PROTOCOL);
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  if (ceiling < 1 || ceiling > 99) return __LAZULI_EINVAL;
  __lazuli_set_bits((int *)attributes, __LAZULI_MUTEX_CEILING, ceiling);
  return 0;
}

/* The lowest ceiling there is, where none was set. */
static int __lazuli_mutex_ceiling(const int *kind) {
  int ceiling = __lazuli_get_bits(kind, __LAZULI_MUTEX_CEILING);
  return ceiling == 0 ? 1 : ceiling;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attributes, int *restrict ceiling) {
  *ceiling = __lazuli_mutex_ceiling((const int *)attributes);
  return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex, int *restrict ceiling) {
  const int *kind = (const int *)mutex + __LAZULI_MUTEX_KIND;
  if (__lazuli_get_bits(kind, __LAZULI_MUTEX_PROTOCOL) != __LAZULI_PROTOCOL_PROTECT) return __LAZULI_EINVAL;
  *ceiling = __lazuli_mutex_ceiling(kind);
  return 0;
}

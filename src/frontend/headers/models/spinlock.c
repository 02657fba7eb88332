/* Spin locks: the object is one word, 0 when free, -1 when destroyed and else the owner's number plus one. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_SPIN_DESTROYED (-1)

/* Inside an atomic section. Memory that nobody wrote may hold what is no thread's number. */
static void __lazuli_spin_check(int owner) {
  __lazuli_assert(owner >= __LAZULI_SPIN_DESTROYED && owner <= __LAZULI_CREATED_THREADS, "mutex",
                  "use of a spin lock that is not initialized");
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  *lock = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  __lazuli_atomic_begin();
  __lazuli_assert(*lock == 0, "mutex", "destruction of a locked or destroyed spin lock");
  *lock = __LAZULI_SPIN_DESTROYED;
  __lazuli_atomic_end();
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  int owner;
  __lazuli_atomic_begin();
  owner = *lock;
  __lazuli_spin_check(owner);
  __lazuli_assume(owner == 0 || owner == __LAZULI_SPIN_DESTROYED);
  __lazuli_assert(owner != __LAZULI_SPIN_DESTROYED, "mutex", "lock of a destroyed spin lock");
  *lock = (int)__lazuli_self() + 1;
  __lazuli_atomic_end();
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  int owner;
  __lazuli_atomic_begin();
  owner = *lock;
  __lazuli_spin_check(owner);
  __lazuli_assert(owner != __LAZULI_SPIN_DESTROYED, "mutex", "lock of a destroyed spin lock");
  if (owner == 0) *lock = (int)__lazuli_self() + 1;
  __lazuli_atomic_end();
  return owner == 0 ? 0 : __LAZULI_EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
#if !__LAZULI_WEAK_MEMORY
  __lazuli_atomic_begin();
#endif
  __lazuli_assert(*lock == (int)__lazuli_self() + 1, "mutex", "unlock of a spin lock by a thread that does not own it");
#if __LAZULI_WEAK_MEMORY
  /* Nobody else has changed what this thread owns. */
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
#else
  *lock = 0;
  __lazuli_atomic_end();
#endif
  return 0;
}

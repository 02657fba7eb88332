/* Cancellation, deferred: a request is kept, and the thread that it is for ends at its next cancellation point, or at
   the one that it waits in, unless it has disabled that. It ends as by pthread_exit(PTHREAD_CANCELED). Cancellation
   points are pthread_testcancel, pthread_cond_wait, pthread_join, sem_wait and their like, sleep, system, read, write
   and their like; what prints is none. All of that costs something only in programs that cancel. */
#include "constants.h"
#include "primitives.h"

static unsigned char __lazuli_thread_cancelled[__LAZULI_THREADS];

static _Thread_local int __lazuli_cancel_state;

static _Thread_local int __lazuli_cancel_type;

int pthread_cancel(pthread_t thread) {
  unsigned int number = (unsigned int)(unsigned long)thread - 1;
  __lazuli_assert(number < __LAZULI_CREATED_THREADS, "thread", "cancellation of something that is no thread");
  if (number >= __LAZULI_THREADS) return 0;
  __lazuli_atomic_begin();
  __lazuli_assert(number == 0 || __lazuli_thread_status[number] != 0, "thread",
                  "cancellation of something that is no thread");
  __lazuli_assert(__lazuli_thread_status[number] != __LAZULI_JOINED, "thread",
                  "cancellation of a thread that was joined before");
  __lazuli_thread_cancelled[number] = 1;
  __lazuli_atomic_end();
  return 0;
}

/* Whether the thread has to end at a cancellation point. One access. */
static int __lazuli_is_cancelled(void) {
  return __lazuli_cancel_state == 0 && __lazuli_thread_cancelled[__lazuli_self()];
}

static void __lazuli_end_cancelled(void) {
  __lazuli_finish_thread((void *)-1);
  __lazuli_exit_thread();
}

static void __lazuli_cancellation_point(void) {
  if (__lazuli_is_cancelled()) __lazuli_end_cancelled();
}

int pthread_setcancelstate(int state, int *old) {
  if (state != 0 && state != 1) return __LAZULI_EINVAL;
  if (old) *old = __lazuli_cancel_state;
  __lazuli_cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != 0 && type != 1) return __LAZULI_EINVAL;
  __LAZULI_WHEN(pthread_cancel) if (type == 1) __lazuli_unsupported("asynchronous cancellation is not modelled");
  if (old) *old = __lazuli_cancel_type;
  __lazuli_cancel_type = type;
  return 0;
}

void pthread_testcancel(void) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
}

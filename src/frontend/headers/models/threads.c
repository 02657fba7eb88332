/* Threads: creation, end, join and detach. A pthread_t is the thread's number plus one, so that no thread is 0. It is
   converted by way of unsigned long, for in programs with declarations of their own it may be a pointer.

   The state of a thread lies in arrays by its number, one for each thing, because most of them have one writer only:
   `finished` and `result` are written by the thread itself, `status` by its creator and by whoever joins or detaches
   it. */
#include "constants.h"
#include "primitives.h"

static unsigned char __lazuli_thread_finished[__LAZULI_THREADS];

static void *__lazuli_thread_result[__LAZULI_THREADS];

#define __LAZULI_JOINABLE 1
#define __LAZULI_JOINED 2
#define __LAZULI_DETACHED 3

/* 0: no such thread. Main has no creator that would make it joinable. */
static unsigned char __lazuli_thread_status[__LAZULI_THREADS] = {__LAZULI_JOINABLE};

/* What every thread but main runs: known to the verifier by this name. */
void __lazuli_thread_entry(void *(*start)(void *), void *argument) {
  __lazuli_finish_thread(start(argument));
}

static void __lazuli_finish_thread(void *result) {
  unsigned int self = __lazuli_self();
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancel_state = 1;
  __LAZULI_WHEN(_pthread_cleanup_push) __lazuli_run_cleanup_handlers();
  __LAZULI_WHEN(__pthread_register_cancel) __lazuli_run_cancel_handlers();
  __LAZULI_WHEN(__lazuli_key_create) __lazuli_run_key_destructors();
  __lazuli_atomic_begin();
  __lazuli_thread_result[self] = result;
  __lazuli_thread_finished[self] = 1;
  __lazuli_atomic_end();
}

/* The end of a thread that ends by itself. A program whose main ends so goes on until all of its threads have ended. */
static void __lazuli_exit_thread(void) {
  int waits = __LAZULI_LEAKS;
  __LAZULI_WHEN(atexit) waits = 1;
  if (waits && __lazuli_self() == 0) {
    __lazuli_atomic_begin();
    for (unsigned int i = 1; i < __LAZULI_THREADS; i++) {
      if (__lazuli_thread_status[i]) __lazuli_assume(__lazuli_thread_finished[i]);
    }
    __lazuli_atomic_end();
    __LAZULI_WHEN(atexit) __lazuli_run_exit_handlers();
    __lazuli_halt();
  }
  __lazuli_end_thread();
}

void pthread_exit(void *result) {
  __lazuli_finish_thread(result);
  __lazuli_exit_thread();
}

/* The identifier is there before the new thread runs, as in glibc. Creation never fails. */
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                   void *restrict argument) {
  unsigned char status = __LAZULI_JOINABLE;
  if (attributes && *(const int *)attributes) status = __LAZULI_DETACHED;
  __lazuli_atomic_begin();
  unsigned int number = __lazuli_spawn(start, argument);
  if (number < __LAZULI_THREADS) __lazuli_thread_status[number] = status;
  *thread = (pthread_t)((unsigned long)number + 1);
  __lazuli_atomic_end();
  return 0;
}

/* Waits for a thread and releases it; with `wait` 0, gives EBUSY instead of waiting. The violations are seen before the
   thread has finished, too: hence the assumption lets them through. */
static int __lazuli_join(unsigned long thread, int wait) {
  unsigned int number = (unsigned int)thread - 1;
  int status, finished, cancelled = 0;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  if (number == __lazuli_self()) return __LAZULI_EDEADLK;
  __lazuli_assert(number < __LAZULI_CREATED_THREADS, "thread", "join of something that is no thread");
  __lazuli_atomic_begin();
  __lazuli_assert(number < __LAZULI_THREADS, "unsupported", "join of one of more than 512 threads");
  status = __lazuli_thread_status[number];
  finished = __lazuli_thread_finished[number];
  __lazuli_assert(status != 0, "thread", "join of something that is no thread");
  __lazuli_assert(status != __LAZULI_JOINED, "thread", "join of a thread that was joined before");
  __lazuli_assert(status != __LAZULI_DETACHED, "thread", "join of a detached thread");
  __LAZULI_WHEN(pthread_cancel) cancelled = wait && !finished && __lazuli_is_cancelled();
  if (wait) __lazuli_assume(finished || status != __LAZULI_JOINABLE || cancelled);
  if ((wait || finished) && !cancelled) __lazuli_thread_status[number] = __LAZULI_JOINED;
  __lazuli_atomic_end();
  __LAZULI_WHEN(pthread_cancel) if (cancelled) __lazuli_end_cancelled();
  return wait || finished ? 0 : __LAZULI_EBUSY;
}

int pthread_join(pthread_t thread, void **result) {
  int error = __lazuli_join((unsigned long)thread, 1);
  if (error == 0 && result) *result = __lazuli_thread_result[(unsigned long)thread - 1];
  return error;
}

int pthread_tryjoin_np(pthread_t thread, void **result) {
  int error = __lazuli_join((unsigned long)thread, 0);
  if (error == 0 && result) *result = __lazuli_thread_result[(unsigned long)thread - 1];
  return error;
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline) {
  int error = __lazuli_join((unsigned long)thread, 0);
  (void)deadline;
  if (error == __LAZULI_EBUSY) return __LAZULI_ETIMEDOUT;
  if (error == 0 && result) *result = __lazuli_thread_result[(unsigned long)thread - 1];
  return error;
}

static void __lazuli_detach(unsigned long thread) {
  unsigned int number = (unsigned int)thread - 1;
  __lazuli_assert(number < __LAZULI_CREATED_THREADS, "thread", "detach of something that is no thread");
  /* Main has no creator that would have made it joinable. */
  if (number == 0 || number >= __LAZULI_THREADS) return;
  __lazuli_atomic_begin();
  __lazuli_assert(__lazuli_thread_status[number] == __LAZULI_JOINABLE, "thread",
                  "detach of a thread that is not joinable");
  __lazuli_thread_status[number] = __LAZULI_DETACHED;
  __lazuli_atomic_end();
}

int pthread_detach(pthread_t thread) {
  __lazuli_detach((unsigned long)thread);
  return 0;
}

pthread_t pthread_self(void) {
  return (pthread_t)((unsigned long)__lazuli_self() + 1);
}

int pthread_equal(pthread_t left, pthread_t right) {
  return left == right;
}

/* CBMC's way to start threads (types/outline-async.ts). Nobody joins them. */
void __lazuli_start_async(void *(*start)(void *), void *argument) {
  __lazuli_atomic_begin();
  unsigned int number = __lazuli_spawn(start, argument);
  if (number < __LAZULI_THREADS) __lazuli_thread_status[number] = __LAZULI_DETACHED;
  __lazuli_atomic_end();
}

void *__lazuli_async_memory(unsigned long size) {
  return __lazuli_allocate(size, 0);
}

void __lazuli_async_free(void *memory) {
  __lazuli_free(memory);
}

/* CBMC's fence orders all accesses, whichever kinds it names. */
void __CPROVER_fence(const char *kind, ...) {
  (void)kind;
  __sync_synchronize();
}

static void __lazuli_once(int *control, void (*routine)(void)) {
  int state;
#if __LAZULI_WEAK_MEMORY
  if (__atomic_load_n(control, __ATOMIC_ACQUIRE) == 2) return;
#endif
  __lazuli_atomic_begin();
  state = *control;
  __lazuli_assert(state >= 0 && state <= 2, "mutex", "use of a once control that is not initialized");
  __lazuli_assume(state != 1);
  if (state == 0) *control = 1;
  __lazuli_atomic_end();
  if (state == 0) {
    routine();
    __lazuli_atomic_begin();
    *control = 2;
    __lazuli_atomic_end();
  }
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  __lazuli_once((int *)control, routine);
  return 0;
}

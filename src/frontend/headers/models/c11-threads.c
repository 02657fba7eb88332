/* C11 threads, on the same parts as the POSIX ones. thrd_success is 0, thrd_busy 1, thrd_error 2, thrd_timedout 4. */
#include "constants.h"
#include "primitives.h"

static int (*__lazuli_thrd_start[__LAZULI_THREADS])(void *);

static void *__lazuli_thrd_argument[__LAZULI_THREADS];

/* The start routine of every C11 thread, since theirs give an int and POSIX's a pointer. */
static void *__lazuli_thrd_entry(void *unused) {
  unsigned int self = __lazuli_self();
  (void)unused;
  return (void *)(long)__lazuli_thrd_start[self](__lazuli_thrd_argument[self]);
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  __lazuli_atomic_begin();
  unsigned int number = __lazuli_spawn(__lazuli_thrd_entry, (void *)0);
  if (number < __LAZULI_THREADS) {
    __lazuli_thrd_start[number] = start;
    __lazuli_thrd_argument[number] = argument;
    __lazuli_thread_status[number] = __LAZULI_JOINABLE;
  }
  *thread = (thrd_t)number + 1;
  __lazuli_atomic_end();
  return 0;
}

void thrd_exit(int result) {
  __lazuli_finish_thread((void *)(long)result);
  __lazuli_exit_thread();
}

int thrd_join(thrd_t thread, int *result) {
  if (__lazuli_join(thread, 1) != 0) return 2;
  if (result) *result = (int)(long)__lazuli_thread_result[thread - 1];
  return 0;
}

int thrd_detach(thrd_t thread) {
  __lazuli_detach(thread);
  return 0;
}

thrd_t thrd_current(void) {
  return (thrd_t)__lazuli_self() + 1;
}

int thrd_equal(thrd_t left, thrd_t right) {
  return left == right;
}

void thrd_yield(void) {
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  (void)duration;
  (void)remaining;
  return 0;
}

void call_once(once_flag *flag, void (*routine)(void)) {
  __lazuli_once((int *)flag, routine);
}

/* The bit mtx_recursive is the recursive kind; mtx_timed (2) makes no difference. */
int mtx_init(mtx_t *mutex, int type) {
  __lazuli_mutex_init((int *)mutex, type & __LAZULI_RECURSIVE);
  return 0;
}

void mtx_destroy(mtx_t *mutex) {
  __lazuli_mutex_destroy((int *)mutex);
}

int mtx_lock(mtx_t *mutex) {
  return __lazuli_mutex_lock((int *)mutex, 0) == 0 ? 0 : 2;
}

int mtx_trylock(mtx_t *mutex) {
  return __lazuli_mutex_lock((int *)mutex, __LAZULI_EBUSY) == 0 ? 0 : 1;
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  (void)deadline;
  return __lazuli_mutex_lock((int *)mutex, __LAZULI_ETIMEDOUT) == 0 ? 0 : 4;
}

int mtx_unlock(mtx_t *mutex) {
  return __lazuli_mutex_unlock((int *)mutex) == 0 ? 0 : 2;
}

int cnd_init(cnd_t *condition) {
  __lazuli_condition_init((int *)condition);
  return 0;
}

void cnd_destroy(cnd_t *condition) {
  __lazuli_condition_destroy((int *)condition);
}

int cnd_signal(cnd_t *condition) {
  __lazuli_condition_signal((int *)condition);
  return 0;
}

int cnd_broadcast(cnd_t *condition) {
  __lazuli_condition_broadcast((int *)condition);
  return 0;
}

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return __lazuli_condition_wait((int *)condition, (int *)mutex, 0) == 0 ? 0 : 2;
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
  int error = __lazuli_condition_wait((int *)condition, (int *)mutex, 1);
  (void)deadline;
  if (error == __LAZULI_ETIMEDOUT) return 4;
  return error == 0 ? 0 : 2;
}

int tss_create(tss_t *key, tss_dtor_t destructor) {
  *key = __lazuli_key_create(destructor);
  return 0;
}

void tss_delete(tss_t key) {
  __lazuli_key_delete(key);
}

void *tss_get(tss_t key) {
  __lazuli_assert(key < __LAZULI_KEYS, "thread", "use of a key that does not exist");
  return __lazuli_key_value[key];
}

int tss_set(tss_t key, void *value) {
  __lazuli_assert(key < __LAZULI_KEYS, "thread", "use of a key that does not exist");
  __lazuli_key_value[key] = value;
  return 0;
}

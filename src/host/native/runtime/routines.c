/* The thread routines of a program that is led by a plan. Each waits for its turn and then does what it does; the plan
   says that it is possible. Whatever the plan does not know may wait for ever. */
#include "runtime.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#define SITE find_site(__builtin_return_address(0))

/* ---- sections that are one step: only ThreadSanitizer has to be told ---- */

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));
static char section;

void enter_section(void) {
  if (__tsan_acquire) __tsan_acquire(&section);
}
void leave_section(void) {
  if (__tsan_release) __tsan_release(&section);
}

/* ---- threads ---- */

struct start { void *(*routine)(void *); int (*c11)(void *); void *argument; int id; };

static pthread_key_t at_end;
static char end_rounds[3];

/* Destructors of the program's own keys come first. */
static void end_thread(void *rounds) {
  if (rounds != &end_rounds[2]) {
    pthread_setspecific(at_end, (char *)rounds + 1);
    return;
  }
  lock_runtime();
  live_count--;
  end_stack();
  end_part();
  let_others();
  unlock_runtime();
  self = -1;
}

static void begin_thread(int id) {
  begin_stack(id);
  self = id;
  pthread_setspecific(at_end, &end_rounds[0]);
}

void prepare_threads(void) {
  pthread_key_create(&at_end, end_thread);
  begin_thread(0);
}

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  begin_thread(start.id);
  return start.routine ? start.routine(start.argument) : (void *)(intptr_t)start.c11(start.argument);
}

static struct start *new_start(void *(*routine)(void *), int (*c11)(void *), void *argument) {
  is_inside = 1;
  struct start *start = malloc(sizeof *start);
  is_inside = 0;
  start->routine = routine, start->c11 = c11, start->argument = argument;
  lock_runtime();
  start->id = thread_count < MOST_THREADS ? thread_count++ : MOST_THREADS - 1;
  live_count++;
  unlock_runtime();
  return start;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  note_frame(__builtin_frame_address(0));
  pass('c', SITE);
  return __real_pthread_create(thread, attributes, run_thread, new_start(routine, 0, argument));
}

int __wrap_thrd_create(thrd_t *thread, thrd_start_t routine, void *argument) {
  note_frame(__builtin_frame_address(0));
  pass('c', SITE);
  return __real_pthread_create((pthread_t *)thread, 0, run_thread, new_start(0, routine, argument)) ? thrd_error
                                                                                                   : thrd_success;
}

/* ---- misuse, of which the library says nothing ---- */

#define MOST_SEMAPHORES 1024
static void *semaphores[MOST_SEMAPHORES];
static int semaphore_count;

static int is_semaphore(void *address) {
  for (int at = 0; at < semaphore_count; at++)
    if (semaphores[at] == address) return 1;
  return semaphore_count == MOST_SEMAPHORES;
}

int __real_sem_init(sem_t *, int, unsigned);
int __wrap_sem_init(sem_t *semaphore, int shared, unsigned value) {
  lock_runtime();
  if (semaphore_count < MOST_SEMAPHORES && !is_semaphore(semaphore)) semaphores[semaphore_count++] = semaphore;
  unlock_runtime();
  return __real_sem_init(semaphore, shared, value);
}

static void misuse(const char *routine, const char *how) {
  tell("misuse %s: %s", routine, how);
  abort();
}

/* What AddressSanitizer fills new memory with, and gcc the locals that nobody has initialized. */
static int is_fresh(void *object) {
  unsigned word = *(unsigned *)object;
  return word == 0xbebebebeu || word == 0xfefefefeu;
}

static int owner_of(pthread_mutex_t *mutex) { return mutex->__data.__owner; }

static void require_use(const char *routine, void *object) {
  if (!lazuli_watches_misuse || self < 0) return;
  int is_of_semaphore = !strncmp(routine, "sem_", 4);
  if (is_of_semaphore ? !is_semaphore(object) : is_fresh(object)) misuse(routine, "nobody has initialized what it is given");
  if (strcmp(routine, "pthread_mutex_unlock") && strcmp(routine, "pthread_mutex_destroy")) return;
  int owner = owner_of(object);
  if (!strcmp(routine, "pthread_mutex_destroy") ? owner != 0 : owner != (int)syscall(SYS_gettid))
    misuse(routine, owner ? "the mutex is held, by another thread or still" : "the mutex is not held");
}

static int require_success(const char *routine, int result) {
  if (lazuli_watches_misuse && self >= 0 && (result == EPERM || result == EINVAL || result == EDEADLK))
    misuse(routine, result == EPERM ? "it returns EPERM" : result == EINVAL ? "it returns EINVAL" : "it returns EDEADLK");
  return result;
}

int __real_pthread_mutex_destroy(pthread_mutex_t *);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex) {
  require_use("pthread_mutex_destroy", mutex);
  return require_success("pthread_mutex_destroy", __real_pthread_mutex_destroy(mutex));
}

/* ---- routines that may block ---- */

static void begin_blocking(int is_planned) {
  lock_runtime();
  if (!is_planned) let_others();
  blocked_count++;
  unlock_runtime();
}

static void end_blocking(void) {
  lock_runtime();
  blocked_count--;
  progress++;
  unlock_runtime();
}

#define WRAP(name, parameters, arguments)                                        \
  int __real_##name parameters;                                                  \
  int __wrap_##name parameters {                                                 \
    note_frame(__builtin_frame_address(0));                                      \
    begin_blocking(pass('c', SITE));                                             \
    int result = __real_##name arguments;                                        \
    end_blocking();                                                              \
    return result;                                                               \
  }
#define WRAP_USE(name, parameters, arguments, object)                            \
  int __real_##name parameters;                                                  \
  int __wrap_##name parameters {                                                 \
    note_frame(__builtin_frame_address(0));                                      \
    int is_planned = pass('c', SITE);                                            \
    require_use(#name, (void *)object);                                          \
    begin_blocking(is_planned);                                                  \
    int result = __real_##name arguments;                                        \
    end_blocking();                                                              \
    return require_success(#name, result);                                       \
  }
WRAP(pthread_join, (pthread_t t, void **r), (t, r))
WRAP(thrd_join, (thrd_t t, int *r), (t, r))
WRAP_USE(pthread_mutex_lock, (pthread_mutex_t *m), (m), m)
WRAP_USE(pthread_mutex_trylock, (pthread_mutex_t *m), (m), m)
WRAP_USE(pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *t), (m, t), m)
WRAP_USE(pthread_mutex_unlock, (pthread_mutex_t *m), (m), m)
WRAP(mtx_lock, (mtx_t *m), (m))
WRAP(mtx_trylock, (mtx_t *m), (m))
WRAP(mtx_timedlock, (mtx_t *m, const struct timespec *t), (m, t))
WRAP(mtx_unlock, (mtx_t *m), (m))
WRAP_USE(pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l), l)
WRAP_USE(pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l), l)
WRAP_USE(pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l), l)
WRAP_USE(pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l), l)
WRAP_USE(pthread_rwlock_unlock, (pthread_rwlock_t *l), (l), l)
WRAP(pthread_spin_lock, (pthread_spinlock_t *l), (l))
WRAP(pthread_spin_trylock, (pthread_spinlock_t *l), (l))
WRAP(pthread_spin_unlock, (pthread_spinlock_t *l), (l))
WRAP_USE(sem_wait, (sem_t *s), (s), s)
WRAP_USE(sem_trywait, (sem_t *s), (s), s)
WRAP_USE(sem_post, (sem_t *s), (s), s)

/* Everybody waits for the last: nobody can do so alone. */
int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier) {
  pass('c', SITE);
  begin_blocking(0);
  int result = __real_pthread_barrier_wait(barrier);
  end_blocking();
  return result;
}

/* ---- waiting for conditions ---- */

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);

static void wait_for_end(void) {
  lock_runtime();
  let_others();
  if (lazuli_is_deadlock && is_finished()) is_over = 1, wake_all();
  while (!is_over) wait_for_turn();
  unlock_runtime();
}

/* A waiting thread may wake for no reason at all, so that it may wake exactly when the plan says. Where the plan has no
   end of the wait, the real routine waits: at once where the thread has more to do, because it is cancelled there. */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct site *site) {
  pass('c', site);
  if (self < 0 || is_over || !has_wake(site)) {
    /* Nobody is to wake it before the plan is over. */
    if (self >= 0 && !is_over && !has_events_left()) {
      __real_pthread_mutex_unlock(mutex);
      wait_for_end();
      __real_pthread_mutex_lock(mutex);
    }
    begin_blocking(0);
    int result = __real_pthread_cond_wait(condition, mutex);
    end_blocking();
    return result;
  }
  __real_pthread_mutex_unlock(mutex);
  pass('k', site);
  return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return wait_for(condition, mutex, SITE);
}
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  (void)until;
  return wait_for(condition, mutex, SITE);
}
int __wrap_cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return wait_for((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, SITE);
}

/* ---- time passes at once; whoever sleeps lets others go on, and counts as one who waits ---- */

static void sleep_a_little(void) {
  const struct timespec moment = {0, 1000 * 1000};
  lock_runtime();
  let_others();
  blocked_count++;
  unlock_runtime();
  __real_nanosleep(&moment, 0);
  lock_runtime();
  blocked_count--;
  unlock_runtime();
}

unsigned int __wrap_sleep(unsigned int seconds) { return (void)seconds, sleep_a_little(), 0; }
int __wrap_usleep(unsigned int time) { return (void)time, sleep_a_little(), 0; }
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
  return (void)time, (void)left, sleep_a_little(), 0;
}

/* ---- allocations, of which the plan may say that they fail ---- */

static _Thread_local int allocation_count;

static int is_failing(void) {
  if (self < 0 || is_inside) return 0;
  int index = allocation_count++, found = 0;
  for (int at = 0; at < lazuli_failure_count; at++)
    found |= lazuli_failures[at].thread == self && lazuli_failures[at].index == index;
  if (found) errno = ENOMEM;
  return found;
}

/* Only wrapped where the plan has failures. */
void *__real_malloc(size_t) __attribute__((weak));
void *__real_calloc(size_t, size_t) __attribute__((weak));
void *__real_realloc(void *, size_t) __attribute__((weak));
void *__wrap_malloc(size_t size) { return is_failing() ? 0 : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return is_failing() ? 0 : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return is_failing() ? 0 : __real_realloc(old, size); }

/* The runtime of a native replay. The program is compiled with hooks before every access to memory (gcc emits them for
   -fsanitize=thread; the functions that they call are here, and libtsan is not linked), its thread routines are wrapped,
   and both wait for their turn in the plan. Between two events a thread runs alone.

   The plan says thread, line and kind of each event. What the program does and the plan does not have (temporaries of
   the compiler, parts of a copy) passes; what the plan has and the program leaves out is skipped when the thread is
   found at a later line. Each access is shown to AddressSanitizer first, whose library is linked. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

struct lazuli_event { int thread; unsigned file; int line; char kind; unsigned object; };
struct lazuli_input { int thread; long long number; double real; };
extern const struct lazuli_event lazuli_events[];
extern const int lazuli_event_count;
extern const struct lazuli_input lazuli_inputs[];
extern const int lazuli_input_count;
extern const int lazuli_violator, lazuli_is_deadlock, lazuli_patience_seconds;

#define MOST_THREADS 512
#define STACK_SLACK 65536

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_nanosleep(const struct timespec *, struct timespec *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static char *done;
static int first_left, passed, skipped, extra;
/* Who runs between two events; -1: nobody. */
static int runner = -1;
static int is_over, is_started;
static int thread_count = 1, live_count = 1, blocked_count;
static int next_own[MOST_THREADS], next_input[MOST_THREADS];
static int is_parked[MOST_THREADS];
static volatile long progress;
static _Thread_local int self = -1;
static _Thread_local char *stack_low, *stack_high;
static _Thread_local int is_inside;

/* ---- what is told to the one who started the program ---- */

static void tell(const char *format, ...) {
  const char *name = getenv("LAZULI_LOG");
  FILE *file = name ? fopen(name, "a") : 0;
  if (!file) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fputc('\n', file);
  fclose(file);
}

/* A place to stop at in a debugger: the violation comes next. */
__attribute__((noinline)) void lazuli_violation_next(void) { __asm__ volatile(""); }

/* ---- where calls come from: return addresses and their lines, made from the debug information ---- */

struct site { uintptr_t address; unsigned file; int line; };
static struct site *sites;
static int site_count;

/* Static variables: where they lie, and the number of their name. */
struct variable { uintptr_t address, size; unsigned name; };
static struct variable *variables;
static int variable_count;

/* Functions that mean an error by being called. */
static uintptr_t errors[16];
static int error_count;

static unsigned name_at(void *address) {
  for (int at = 0; at < variable_count; at++)
    if ((uintptr_t)address - variables[at].address < variables[at].size) return variables[at].name;
  return 0;
}

static int compare_sites(const void *a, const void *b) {
  uintptr_t x = ((const struct site *)a)->address, y = ((const struct site *)b)->address;
  return x < y ? -1 : x > y;
}

static void read_sites(void) {
  const char *name = getenv("LAZULI_SITES");
  FILE *file = name ? fopen(name, "r") : 0;
  if (!file) return;
  unsigned long address;
  struct site site;
  int size = 0;
  while (fscanf(file, "%lx %u %d", &address, &site.file, &site.line) == 3 && address) {
    site.address = address;
    if (site_count == size) sites = realloc(sites, (size = 2 * size + 64) * sizeof *sites);
    sites[site_count++] = site;
  }
  unsigned long length;
  unsigned number;
  for (size = 0; fscanf(file, "%lx %lx %u", &address, &length, &number) == 3;) {
    if (variable_count == size) variables = realloc(variables, (size = 2 * size + 64) * sizeof *variables);
    if (length) variables[variable_count++] = (struct variable){address, length, number};
    else if (error_count < 16) errors[error_count++] = address;
  }
  fclose(file);
  qsort(sites, site_count, sizeof *sites, compare_sites);
}

static const struct site *find_site(void *address) {
  struct site key = {(uintptr_t)address, 0, 0};
  return sites ? bsearch(&key, sites, site_count, sizeof *sites, compare_sites) : 0;
}

/* ---- the plan ---- */

static int own_after(int at) {
  while (at < lazuli_event_count && (lazuli_events[at].thread != self || done[at])) at++;
  return at;
}

static int fits(int at, char kind, unsigned object, const struct site *site) {
  const struct lazuli_event *event = &lazuli_events[at];
  if (object && event->object && object != event->object) return 0;
  return event->kind == kind && event->line == site->line && event->file == site->file;
}

static int is_at(int at, const struct site *site) {
  return lazuli_events[at].line == site->line && lazuli_events[at].file == site->file;
}

/* The next event of the caller that is more than an access to its own stack. */
static int shared_after(int at) {
  at = own_after(at);
  while (at < lazuli_event_count && lazuli_events[at].kind == 'o') at = own_after(at + 1);
  return at;
}

/* The event that the caller is at; -1 when the plan has none. On the line of its next event, only events of that visit
   are considered; elsewhere what the program left out is skipped. Of a thread's own stack the compiler touches more than
   the plan knows: such an access is an event only where it comes next. */
static int find_event(char kind, unsigned object, const struct site *site) {
  int at = next_own[self] = own_after(next_own[self]);
  if (at == lazuli_event_count) return -1;
  if (!site) return -1;
  if (kind == 'o') return fits(at, kind, object, site) ? at : -1;
  at = shared_after(at);
  if (at == lazuli_event_count) return -1;
  if (is_at(at, site)) {
    for (; at < lazuli_event_count && is_at(at, site); at = shared_after(at + 1))
      if (fits(at, kind, object, site)) return at;
    return -1;
  }
  for (int seen = 0; at < lazuli_event_count && seen < 64; at = shared_after(at + 1), seen++)
    if (fits(at, kind, object, site)) return at;
  return -1;
}

static int is_ready(int event) {
  while (first_left < lazuli_event_count && done[first_left]) first_left++;
  for (int at = first_left; at < event; at++)
    if (!done[at] && lazuli_events[at].thread != self) return 0;
  return runner == -1 || runner == self;
}

static int is_finished(void) {
  while (first_left < lazuli_event_count && done[first_left]) first_left++;
  return first_left == lazuli_event_count;
}

static void let_others(void) {
  if (runner == self) runner = -1;
  pthread_cond_broadcast(&turn);
}

static void finish(void) {
  tell("followed %d of %d, %d skipped, %d beside the plan", passed, lazuli_event_count, skipped, extra);
  pthread_cond_broadcast(&turn);
  lazuli_violation_next();
}

/* Another read of the same line comes before it in the plan, and not yet in the program. */
static int is_early(int event, char kind, const struct site *site) {
  int before = shared_after(next_own[self]);
  return kind == 'r' && before < event && is_at(before, site) && lazuli_events[before].kind == 'r' && !is_ready(event);
}

/* Waits for the caller's turn; whether the plan has the event. */
static int pass_object(char kind, unsigned object, const struct site *site) {
  if (self < 0 || !is_started || is_inside) return 0;
  is_inside = 1;
  __real_pthread_mutex_lock(&big);
  /* Into a deadlock all go on, once the last one has done what was left to do. */
  if (lazuli_is_deadlock && runner == self && is_finished()) is_over = 1, pthread_cond_broadcast(&turn);
  int event = is_over ? -1 : find_event(kind, object, site);
  if (event >= 0 && is_early(event, kind, site)) {
    /* C leaves the order of operands open, and gcc has chosen another one: what is read is not what the order is about. */
    done[event] = 1;
    passed++;
  } else if (event >= 0) {
    for (int at = first_left; at < event; at++)
      if (!done[at] && lazuli_events[at].thread == self) done[at] = 1, skipped++;
    if (!is_ready(event)) let_others();
    while (!is_over && !is_ready(event)) __real_pthread_cond_wait(&turn, &big);
    done[event] = 1;
    runner = self;
    passed++;
    progress++;
    if (is_finished()) finish();
  } else {
    extra++;
    /* At the end of its part a thread waits before it touches what is shared, unless the violation is its own. */
    int is_last = kind != 'o' && shared_after(next_own[self]) == lazuli_event_count;
    if (is_last && !(self == lazuli_violator && is_finished())) {
      let_others();
      is_parked[self] = 1;
      while (!is_over && !(self == lazuli_violator && is_finished())) __real_pthread_cond_wait(&turn, &big);
      is_parked[self] = 0;
    }
  }
  __real_pthread_mutex_unlock(&big);
  is_inside = 0;
  return event >= 0;
}

static int pass(char kind, const struct site *site) { return pass_object(kind, 0, site); }

/* ---- inputs ---- */

static const struct lazuli_input *take_input(void) {
  static const struct lazuli_input none;
  int at = self < 0 ? lazuli_input_count : next_input[self];
  while (at < lazuli_input_count && lazuli_inputs[at].thread != self) at++;
  if (at >= lazuli_input_count) return &none;
  next_input[self] = at + 1;
  return &lazuli_inputs[at];
}

long long lazuli_input_number(void) { return take_input()->number; }
double lazuli_input_real(void) { return take_input()->real; }

void lazuli_error_function(const char *name) {
  tell("error function %s", name);
  fprintf(stderr, "%s is called\n", name);
  abort();
}

void lazuli_assume(int holds) {
  if (holds) return;
  tell("assumption fails");
  _exit(86);
}

/* ---- accesses ---- */

void *__asan_region_is_poisoned(void *, size_t) __attribute__((weak));
void __asan_report_error(void *, void *, void *, void *, int, size_t, unsigned) __attribute__((weak));

static void access_memory(char kind, void *address, size_t size, void *from, void *frame) {
  if (self < 0 || is_inside) return;
  int is_own = (char *)address >= stack_low && (char *)address < stack_high;
  pass_object(is_own ? 'o' : kind, is_own ? 0 : name_at(address), find_site(from));
  /* What lies at the very beginning is never there: the processor says so better. */
  int is_known = !is_own && (uintptr_t)address > 65535;
  if (is_known && __asan_region_is_poisoned && __asan_region_is_poisoned(address, size)) {
    tell("stopped by AddressSanitizer");
    __asan_report_error(from, frame, frame, address, kind == 'w', size, 0);
    abort();
  }
}

#define HERE __builtin_return_address(0), __builtin_frame_address(0)
#define PLAIN(size)                                                                                  \
  void __tsan_read##size(void *address) { access_memory('r', address, size, HERE); }                 \
  void __tsan_write##size(void *address) { access_memory('w', address, size, HERE); }                \
  void __tsan_unaligned_read##size(void *address) { access_memory('r', address, size, HERE); }       \
  void __tsan_unaligned_write##size(void *address) { access_memory('w', address, size, HERE); }      \
  void __tsan_volatile_read##size(void *address) { access_memory('r', address, size, HERE); }        \
  void __tsan_volatile_write##size(void *address) { access_memory('w', address, size, HERE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void __tsan_read_range(void *address, size_t size) { access_memory('r', address, size, HERE); }
void __tsan_write_range(void *address, size_t size) { access_memory('w', address, size, HERE); }
void __tsan_vptr_update(void *address, void *value) { (void)address, (void)value; }
void __tsan_init(void) {}
void __tsan_func_exit(void) {}

void __tsan_func_entry(void *caller) { (void)caller; }
void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }

/* A function that means an error by being called may do nothing else: gcc announces the entry of every function. */
void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  for (int at = 0; at < error_count; at++)
    if (errors[at] == (uintptr_t)function) lazuli_error_function("reach_error");
}

/* Read and written in one step: the plan has both. */
static void access_both(void *address, size_t size, void *from, void *frame) {
  access_memory('r', address, size, from, frame);
  access_memory('w', address, size, from, frame);
}

#define ATOMIC(bits, type)                                                                                   \
  type __tsan_atomic##bits##_load(const volatile type *p, int order) {                                       \
    (void)order, access_memory('r', (void *)p, sizeof *p, HERE);                                             \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {                                    \
    (void)order, access_memory('w', (void *)p, sizeof *p, HERE);                                             \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                \
  }                                                                                                          \
  type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) {                                 \
    (void)order, access_both((void *)p, sizeof *p, HERE);                                                    \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  CHANGE(bits, type, add)                                                                                    \
  CHANGE(bits, type, sub)                                                                                    \
  CHANGE(bits, type, and)                                                                                    \
  CHANGE(bits, type, or)                                                                                     \
  CHANGE(bits, type, xor)                                                                                    \
  CHANGE(bits, type, nand)                                                                                   \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *e, type v, int a, int b) {       \
    (void)a, (void)b, access_memory('r', (void *)p, sizeof *p, HERE);                                        \
    if (*p == *e) access_memory('w', (void *)p, sizeof *p, HERE);                                            \
    return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
  }                                                                                                          \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *e, type v, int a, int b) {         \
    (void)a, (void)b, access_memory('r', (void *)p, sizeof *p, HERE);                                        \
    if (*p == *e) access_memory('w', (void *)p, sizeof *p, HERE);                                            \
    return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
  }                                                                                                          \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int a, int b) {          \
    (void)a, (void)b, access_memory('r', (void *)p, sizeof *p, HERE);                                        \
    if (*p == e) access_memory('w', (void *)p, sizeof *p, HERE);                                             \
    __atomic_compare_exchange_n(p, &e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                            \
    return e;                                                                                                \
  }
#define CHANGE(bits, type, name)                                                                             \
  type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order) {                             \
    (void)order, access_both((void *)p, sizeof *p, HERE);                                                    \
    return __atomic_fetch_##name(p, v, __ATOMIC_SEQ_CST);                                                    \
  }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long long)
void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- threads ---- */

static void begin_thread(int id) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stack_low = low, stack_high = (char *)low + size;
  /* The main thread's stack grows: only what is near is surely its own. */
  if (id == 0) stack_low = (char *)__builtin_frame_address(0) - 8 * 1024 * 1024 + STACK_SLACK;
  self = id;
}

struct start { void *(*routine)(void *); int (*c11)(void *); void *argument; int id; };

static pthread_key_t at_end;
static char end_rounds[3];

/* Destructors of the program's own keys come first. */
static void end_thread(void *rounds) {
  if (rounds != &end_rounds[2]) {
    pthread_setspecific(at_end, (char *)rounds + 1);
    return;
  }
  __real_pthread_mutex_lock(&big);
  live_count--;
  let_others();
  __real_pthread_mutex_unlock(&big);
  self = -1;
}

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  begin_thread(start.id);
  pthread_setspecific(at_end, &end_rounds[0]);
  return start.routine ? start.routine(start.argument) : (void *)(intptr_t)start.c11(start.argument);
}

static struct start *new_start(void *(*routine)(void *), int (*c11)(void *), void *argument) {
  struct start *start = malloc(sizeof *start);
  start->routine = routine, start->c11 = c11, start->argument = argument;
  __real_pthread_mutex_lock(&big);
  start->id = thread_count < MOST_THREADS ? thread_count++ : MOST_THREADS - 1;
  live_count++;
  __real_pthread_mutex_unlock(&big);
  return start;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  pass('c', find_site(__builtin_return_address(0)));
  return __real_pthread_create(thread, attributes, run_thread, new_start(routine, 0, argument));
}

int __wrap_thrd_create(thrd_t *thread, thrd_start_t routine, void *argument) {
  pass('c', find_site(__builtin_return_address(0)));
  return __real_pthread_create((pthread_t *)thread, 0, run_thread, new_start(0, routine, argument)) ? thrd_error
                                                                                                   : thrd_success;
}

/* ---- routines that may block: the plan says that it is their turn; whatever it does not know may wait for ever ---- */

static void begin_blocking(int is_planned) {
  __real_pthread_mutex_lock(&big);
  if (!is_planned) let_others();
  blocked_count++;
  __real_pthread_mutex_unlock(&big);
}

static void end_blocking(void) {
  __real_pthread_mutex_lock(&big);
  blocked_count--;
  progress++;
  __real_pthread_mutex_unlock(&big);
}

#define WRAP(name, parameters, arguments)                                        \
  int __real_##name parameters;                                                  \
  int __wrap_##name parameters {                                                 \
    begin_blocking(pass('c', find_site(__builtin_return_address(0))));           \
    int result = __real_##name arguments;                                        \
    end_blocking();                                                              \
    return result;                                                               \
  }
WRAP(pthread_join, (pthread_t t, void **r), (t, r))
WRAP(thrd_join, (thrd_t t, int *r), (t, r))
WRAP(pthread_mutex_lock, (pthread_mutex_t *m), (m))
WRAP(pthread_mutex_trylock, (pthread_mutex_t *m), (m))
WRAP(pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *t), (m, t))
WRAP(pthread_mutex_unlock, (pthread_mutex_t *m), (m))
WRAP(mtx_lock, (mtx_t *m), (m))
WRAP(mtx_trylock, (mtx_t *m), (m))
WRAP(mtx_timedlock, (mtx_t *m, const struct timespec *t), (m, t))
WRAP(mtx_unlock, (mtx_t *m), (m))
WRAP(pthread_rwlock_rdlock, (pthread_rwlock_t *l), (l))
WRAP(pthread_rwlock_wrlock, (pthread_rwlock_t *l), (l))
WRAP(pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l))
WRAP(pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l))
WRAP(pthread_rwlock_unlock, (pthread_rwlock_t *l), (l))
WRAP(pthread_spin_lock, (pthread_spinlock_t *l), (l))
WRAP(pthread_spin_trylock, (pthread_spinlock_t *l), (l))
WRAP(pthread_spin_unlock, (pthread_spinlock_t *l), (l))
WRAP(sem_wait, (sem_t *s), (s))
WRAP(sem_trywait, (sem_t *s), (s))
WRAP(sem_post, (sem_t *s), (s))

/* Everybody waits for the last: nobody can do so alone. */
int __real_pthread_barrier_wait(pthread_barrier_t *);
int __wrap_pthread_barrier_wait(pthread_barrier_t *barrier) {
  pass('c', find_site(__builtin_return_address(0)));
  begin_blocking(0);
  int result = __real_pthread_barrier_wait(barrier);
  end_blocking();
  return result;
}

static int has_wake(const struct site *site) {
  int found = 0;
  __real_pthread_mutex_lock(&big);
  for (int at = own_after(next_own[self]); site && at < lazuli_event_count && !found; at = own_after(at + 1))
    found = lazuli_events[at].kind == 'k' && is_at(at, site);
  __real_pthread_mutex_unlock(&big);
  return found;
}

static void wait_for_end(void) {
  __real_pthread_mutex_lock(&big);
  let_others();
  if (lazuli_is_deadlock && is_finished()) is_over = 1, pthread_cond_broadcast(&turn);
  while (!is_over) __real_pthread_cond_wait(&turn, &big);
  __real_pthread_mutex_unlock(&big);
}

/* A waiting thread may wake for no reason at all, so that it may wake exactly when the plan says. Where the plan has no
   end of the wait, the real routine waits. */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct site *site) {
  pass('c', site);
  if (self < 0 || is_over || !has_wake(site)) {
    /* Nobody is to wake it before the plan is over. */
    if (self >= 0 && !is_over) {
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
  return wait_for(condition, mutex, find_site(__builtin_return_address(0)));
}
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  (void)until;
  return wait_for(condition, mutex, find_site(__builtin_return_address(0)));
}
int __wrap_cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return wait_for((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, find_site(__builtin_return_address(0)));
}

/* Time passes at once. */
unsigned int __wrap_sleep(unsigned int seconds) { return (void)seconds, 0; }
int __wrap_usleep(unsigned int time) { return (void)time, 0; }
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) { return (void)time, (void)left, 0; }

/* ---- the watch ---- */

static void *watch(void *unused) {
  (void)unused;
  long seen = -1;
  int still = 0, after = 0;
  const struct timespec tick = {0, 50 * 1000 * 1000};
  for (;;) {
    __real_nanosleep(&tick, 0);
    __real_pthread_mutex_lock(&big);
    still = progress == seen ? still + 1 : 0;
    seen = progress;
    int is_done = is_finished();
    after = is_done ? after + 1 : 0;
    int is_stuck = is_over && live_count > 0 && blocked_count >= live_count && still > 10;
    if (is_done && after == 40) is_over = 1, pthread_cond_broadcast(&turn);
    __real_pthread_mutex_unlock(&big);
    if (is_stuck) {
      tell("deadlock");
      fprintf(stderr, "all %d threads wait\n", live_count);
      _exit(87);
    }
    if (!is_done && still > 20 * lazuli_patience_seconds) {
      const struct lazuli_event *event = &lazuli_events[first_left];
      tell("stuck before thread %d, line %d (%d of %d passed)", event->thread, event->line, passed, lazuli_event_count);
      _exit(86);
    }
    if (after > 20 * 2 * lazuli_patience_seconds) {
      tell("runs on");
      _exit(88);
    }
  }
}

__attribute__((constructor)) static void begin(void) {
  pthread_t watcher;
  done = calloc(lazuli_event_count + 1, 1);
  read_sites();
  pthread_key_create(&at_end, end_thread);
  begin_thread(0);
  pthread_setspecific(at_end, &end_rounds[0]);
  __real_pthread_create(&watcher, 0, watch, 0);
  is_started = 1;
  if (lazuli_event_count == 0) finish();
}

/* The end of main is that of all, and comes when everybody has played his part. */
__attribute__((destructor)) static void end(void) {
  __real_pthread_mutex_lock(&big);
  let_others();
  blocked_count++;
  for (int ticks = 0; !is_finished() || (lazuli_is_deadlock && ticks < 30); ticks++) {
    const struct timespec tick = {0, 50 * 1000 * 1000};
    if (is_finished()) is_over = 1, pthread_cond_broadcast(&turn);
    __real_pthread_mutex_unlock(&big);
    __real_nanosleep(&tick, 0);
    __real_pthread_mutex_lock(&big);
  }
  __real_pthread_mutex_unlock(&big);
  tell("exit");
}

/* The runtime of a native replay. The program is compiled with hooks before every access to memory (gcc emits them for
   -fsanitize=thread; the functions that they call are in accesses.c), its thread routines are wrapped (routines.c), and
   both wait here for their turn in the plan. Between two events a thread runs alone.

   The plan says thread, line and kind of each event. What the program does and the plan does not have (temporaries of
   the compiler, parts of a copy) passes; what the plan has and the program leaves out is skipped when the thread is
   found at a later line, or when nobody gets on for want of it (watch.c).

   The runtime waits by system calls of its own and not by the thread library's routines, so that ThreadSanitizer, where
   it is linked, sees no order but the program's. */
#include "runtime.h"

#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *done;
int first_left, passed;
static int skipped, extra;
/* Who runs between two events; -1: nobody. */
static int runner = -1;
int is_over, is_started;
int thread_count = 1, live_count = 1, blocked_count;
static int next_own[MOST_THREADS], next_input[MOST_THREADS];
volatile long progress;
_Thread_local int self = -1;
_Thread_local int is_inside;

/* ---- the lock of the runtime: 0 free, 1 held, 2 held and waited for; and the number of changes ---- */

static int lock_state, changes;

static void sleep_while(int *word, int value) { syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0); }
static void wake(int *word, int count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, 0, 0, 0); }

void lock_runtime(void) {
  int free = 0;
  if (__atomic_compare_exchange_n(&lock_state, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  while (__atomic_exchange_n(&lock_state, 2, __ATOMIC_SEQ_CST) != 0) sleep_while(&lock_state, 2);
}

void unlock_runtime(void) {
  if (__atomic_exchange_n(&lock_state, 0, __ATOMIC_SEQ_CST) == 2) wake(&lock_state, 1);
}

void wait_for_turn(void) {
  int seen = __atomic_load_n(&changes, __ATOMIC_SEQ_CST);
  unlock_runtime();
  sleep_while(&changes, seen);
  lock_runtime();
}

void wake_all(void) {
  __atomic_add_fetch(&changes, 1, __ATOMIC_SEQ_CST);
  wake(&changes, MOST_THREADS);
}

/* ---- what is told to the one who started the program ---- */

void tell(const char *format, ...) {
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

static struct site *sites;
static int site_count;

/* Static variables: where they lie, and the number of their name. */
struct variable { uintptr_t address, size; unsigned name; };
static struct variable *variables;
static int variable_count;

/* Functions with a meaning: those that mean an error by being called, and those that are one step. */
struct function { uintptr_t address; int is_section; };
static struct function *functions;
static int function_count;

static int variable_at(void *address) {
  for (int at = 0; at < variable_count; at++)
    if ((uintptr_t)address - variables[at].address < variables[at].size) return at;
  return -1;
}

unsigned name_at(void *address) {
  int at = variable_at(address);
  return at < 0 ? 0 : variables[at].name;
}

int is_static(void *address) { return variable_at(address) >= 0; }

static int has_meaning(void *function, int is_section) {
  for (int at = 0; at < function_count; at++)
    if (functions[at].address == (uintptr_t)function && functions[at].is_section == is_section) return 1;
  return 0;
}

int is_error_function(void *function) { return has_meaning(function, 0); }
int is_section_function(void *function) { return has_meaning(function, 1); }

static int compare_sites(const void *a, const void *b) {
  uintptr_t x = ((const struct site *)a)->address, y = ((const struct site *)b)->address;
  return x < y ? -1 : x > y;
}

/* Lines of sites; a line of zeros; lines of variables, and of functions, which have no size. */
static void read_sites(void) {
  const char *name = getenv("LAZULI_SITES");
  FILE *file = name ? fopen(name, "r") : 0;
  if (!file) return;
  unsigned long address, length;
  struct site site;
  unsigned number;
  int size = 0, functions_size = 0;
  while (fscanf(file, "%lx %u %d", &address, &site.file, &site.line) == 3 && address) {
    site.address = address;
    if (site_count == size) sites = realloc(sites, (size = 2 * size + 64) * sizeof *sites);
    sites[site_count++] = site;
  }
  for (size = 0; fscanf(file, "%lx %lx %u", &address, &length, &number) == 3;) {
    if (variable_count == size) variables = realloc(variables, (size = 2 * size + 64) * sizeof *variables);
    if (function_count == functions_size)
      functions = realloc(functions, (functions_size = 2 * functions_size + 16) * sizeof *functions);
    if (length) variables[variable_count++] = (struct variable){address, length, number};
    else functions[function_count++] = (struct function){address, number == 1};
  }
  fclose(file);
  qsort(sites, site_count, sizeof *sites, compare_sites);
}

const struct site *find_site(void *address) {
  struct site key = {(uintptr_t)address, 0, 0};
  return sites ? bsearch(&key, sites, site_count, sizeof *sites, compare_sites) : 0;
}

/* ---- the plan ---- */

static int own_after(int at) {
  while (at < lazuli_event_count && (lazuli_events[at].thread != self || done[at])) at++;
  return at;
}

static int is_at(int at, const struct site *site) {
  return lazuli_events[at].line == site->line && lazuli_events[at].file == site->file;
}

static int fits(int at, char kind, unsigned object, const struct site *site) {
  const struct lazuli_event *event = &lazuli_events[at];
  if (object && event->object && object != event->object) return 0;
  return event->kind == kind && is_at(at, site);
}

/* The next event of the caller that is more than an access to its own stack. */
static int shared_after(int at) {
  at = own_after(at);
  while (at < lazuli_event_count && lazuli_events[at].kind == 'o') at = own_after(at + 1);
  return at;
}

int has_events_left(void) { return self >= 0 && shared_after(next_own[self]) < lazuli_event_count; }

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

int is_finished(void) {
  while (first_left < lazuli_event_count && done[first_left]) first_left++;
  return first_left == lazuli_event_count;
}

int is_own_left(void) { return !is_finished() && lazuli_events[first_left].kind == 'o'; }

int is_next_of_violator(void) { return self == lazuli_violator && is_finished(); }

static int is_ready(int event) {
  is_finished();
  for (int at = first_left; at < event; at++)
    if (!done[at] && lazuli_events[at].thread != self) return 0;
  return runner == -1 || runner == self;
}

void let_others(void) {
  if (runner == self) runner = -1;
  wake_all();
}

void finish(void) {
  tell("followed %d of %d, %d skipped, %d beside the plan", passed, lazuli_event_count, skipped, extra);
  wake_all();
  lazuli_violation_next();
}

/* Of its own stack a thread may touch less than the plan says. */
static void tell_missing(const struct lazuli_event *event) {
  skipped++;
  if (event->kind == 'o') return;
  tell("missing thread %d, line %d, %s", event->thread, event->line,
       event->kind == 'w' ? "a write" : event->kind == 'r' ? "a read" : "a call");
}

/* Nobody gets on, because the program leaves out what comes next: as if it had come. */
void skip_first_left(void) {
  const struct lazuli_event *event = &lazuli_events[first_left];
  tell_missing(event);
  done[first_left] = 1;
  if (runner == event->thread) runner = -1;
  progress++;
  if (is_finished()) finish();
  else wake_all();
}

/* Another read of the same line comes before it in the plan, and not yet in the program. */
static int is_early(int event, char kind, const struct site *site) {
  int before = shared_after(next_own[self]);
  return kind == 'r' && before < event && is_at(before, site) && lazuli_events[before].kind == 'r' && !is_ready(event);
}

static void come_to(int event) {
  for (int at = first_left; at < event; at++)
    if (!done[at] && lazuli_events[at].thread == self) done[at] = 1, skipped++;
  if (!is_ready(event)) let_others();
  while (!is_over && !done[event] && !is_ready(event)) wait_for_turn();
  if (is_over) return;
  int is_new = !done[event];
  done[event] = 1;
  runner = self;
  passed += is_new;
  progress++;
  if (is_new && is_finished()) finish();
}

void end_part(void) {
  for (int at = own_after(next_own[self]); at < lazuli_event_count; at = own_after(at + 1))
    tell_missing(&lazuli_events[at]), done[at] = 1;
}

/* At the end of its part a thread waits before it touches anything, unless the violation is its own. Whoever is at
   something that is shared has passed by what the plan has of its own stack. */
static void come_beside(char kind) {
  extra++;
  int is_left = kind == 'o' ? own_after(next_own[self]) < lazuli_event_count : has_events_left();
  if (is_left || is_next_of_violator()) return;
  end_part();
  if (is_next_of_violator()) {
    finish();
    return;
  }
  let_others();
  while (!is_over && !is_next_of_violator()) wait_for_turn();
}

/* Waits for the caller's turn; whether the plan has the event. */
int pass_object(char kind, unsigned object, const struct site *site) {
  if (self < 0 || !is_started || is_inside) return 0;
  is_inside = 1;
  lock_runtime();
  /* Into a deadlock all go on, once the last one has done what was left to do. */
  if (lazuli_is_deadlock && runner == self && is_finished()) is_over = 1, wake_all();
  int event = is_over ? -1 : find_event(kind, object, site);
  if (event >= 0 && is_early(event, kind, site)) {
    /* C leaves the order of operands open, and gcc has chosen another one: what is read is not what the order is about. */
    done[event] = 1;
    passed++;
  } else if (event >= 0) come_to(event);
  else come_beside(kind);
  unlock_runtime();
  is_inside = 0;
  return event >= 0;
}

int pass(char kind, const struct site *site) { return pass_object(kind, 0, site); }

int has_wake(const struct site *site) {
  int found = 0;
  lock_runtime();
  for (int at = own_after(next_own[self]); site && at < lazuli_event_count && !found; at = own_after(at + 1))
    found = lazuli_events[at].kind == 'k' && is_at(at, site);
  unlock_runtime();
  return found;
}

void begin_turns(void) {
  done = calloc(lazuli_event_count + 1, 1);
  read_sites();
}

/* ---- inputs, and the words of verifiers ---- */

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

/* A thread whose part is over may end here, as that of the report did; for the others this is another run. */
void lazuli_assume(int holds) {
  if (holds) return;
  lock_runtime();
  if (!has_events_left() && !is_next_of_violator()) {
    let_others();
    blocked_count++;
    for (;;) wait_for_turn();
  }
  unlock_runtime();
  tell("assumption fails");
  _exit(86);
}

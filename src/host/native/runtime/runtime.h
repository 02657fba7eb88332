/* What the files of the runtime of a native replay share: see turns.c for the idea. */
#ifndef LAZULI_RUNTIME_H
#define LAZULI_RUNTIME_H
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* ---- the plan, in a file that is written for each replay ---- */

struct lazuli_event { int thread; unsigned file; int line; char kind; unsigned object; };
struct lazuli_input { int thread; long long number; double real; };
struct lazuli_failure { int thread, index; };
extern const struct lazuli_event lazuli_events[];
extern const int lazuli_event_count;
extern const struct lazuli_input lazuli_inputs[];
extern const int lazuli_input_count;
extern const struct lazuli_failure lazuli_failures[];
extern const int lazuli_failure_count;
extern const int lazuli_violator, lazuli_is_deadlock, lazuli_patience_seconds;
/* What is looked for beyond what the libraries notice. */
extern const int lazuli_watches_locals, lazuli_watches_misuse;

#define MOST_THREADS 512
#define STACK_SLACK 65536

/* ---- the turn: who runs, who waits (turns.c) ---- */

extern int is_over, is_started;
extern int thread_count, live_count, blocked_count;
extern volatile long progress;
extern int first_left, passed;
extern _Thread_local int self;
extern _Thread_local int is_inside;

struct site { uintptr_t address; unsigned file; int line; };

void lock_runtime(void);
void unlock_runtime(void);
/* Both with the lock of the runtime held. */
void wait_for_turn(void);
void wake_all(void);

void tell(const char *format, ...);
const struct site *find_site(void *address);
unsigned name_at(void *address);
int is_static(void *address);
int pass_object(char kind, unsigned object, const struct site *site);
int pass(char kind, const struct site *site);
int is_finished(void);
int is_next_of_violator(void);
int has_events_left(void);
/* The next event is an access to the thread's own stack, of which the compiler may know better. */
int is_own_left(void);
/* The caller does nothing more that the plan has. */
void end_part(void);
int has_wake(const struct site *site);
void let_others(void);
void skip_first_left(void);
void begin_turns(void);
void finish(void);
void lazuli_error_function(const char *name);
int is_error_function(void *function);
int is_section_function(void *function);

/* ---- stacks, and what has left them (stacks.c) ---- */

void begin_stack(int id);
void end_stack(void);
void note_frame(void *frame);
int is_own(void *address);
void require_alive(void *address, void *frame, const struct site *site);

/* ---- routines (routines.c) ---- */

void enter_section(void);
void leave_section(void);
void prepare_threads(void);

int __real_nanosleep(const struct timespec *, struct timespec *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
#endif

/* Runs a program under many random schedules of a few rounds: the threads in turn, each for a random number of steps.

   The program and its models are compiled with -fsanitize=thread, which calls a function before every access to memory;
   here these functions are places where the thread's turn may end. One token lets one thread run at a time. An assumption
   that fails ends the turn, and the atomic section starts again in the next one. Each schedule runs in a process of its
   own. Exits with 1 as soon as a schedule violates an assertion, and else with 0.

   Usage: program ROUNDS SCHEDULES. This file is compiled without -fsanitize. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { max_threads = 16, violated = 42 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int thread_count = 1, token, rounds_left, steps_left, finished[max_threads];
static unsigned int random_state;
static _Thread_local int self, in_section;
_Thread_local jmp_buf native_section;

static unsigned int next_random(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 10;
}

/* Half of the turns are long, the others short. */
static int choose_steps(void) { return next_random() % 2 ? 1000 : (int)(next_random() % 32); }

/* With the lock held: gives the token to the next thread that is not finished and has a turn of at least one step. */
static void move_token(void) {
  do {
    token = (token + 1) % thread_count;
    if (token == 0 && --rounds_left == 0) _exit(0);
    steps_left = choose_steps();
  } while (finished[token] || steps_left == 0);
  pthread_cond_broadcast(&moved);
}

static void wait_for_token(void) {
  while (token != self) pthread_cond_wait(&moved, &lock);
}

static void end_turn(void) {
  pthread_mutex_lock(&lock);
  move_token();
  wait_for_token();
  pthread_mutex_unlock(&lock);
}

static void step(void) {
  if (in_section) return;
  if (steps_left <= 0) end_turn();
  steps_left--;
}

void native_enter(void) {
  step();
  in_section = 1;
}

void native_leave(void) { in_section = 0; }

unsigned int __lazuli_self(void) { return (unsigned int)self; }

void __lazuli_assume(int condition) {
  if (condition) return;
  if (!in_section) _exit(0);
  in_section = 0;
  end_turn();
  longjmp(native_section, 1);
}

void __lazuli_assert(int condition, const char *check, const char *message) {
  (void)check;
  (void)message;
  if (!condition) _exit(violated);
}

void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) {
  (void)assertion;
  (void)file;
  (void)line;
  (void)function;
  _exit(violated);
}

void __lazuli_halt(void) { _exit(0); }

void __lazuli_thread_entry(void *(*start)(void *), void *argument);

struct native_start {
  void *(*start)(void *);
  void *argument;
  int number;
};

static void end_thread(void) {
  pthread_mutex_lock(&lock);
  finished[self] = 1;
  move_token();
  pthread_mutex_unlock(&lock);
}

static void *run_thread(void *data) {
  struct native_start start = *(struct native_start *)data;
  self = start.number;
  pthread_mutex_lock(&lock);
  wait_for_token();
  pthread_mutex_unlock(&lock);
  __lazuli_thread_entry(start.start, start.argument);
  end_thread();
  return 0;
}

unsigned int __lazuli_spawn(void *(*start)(void *), void *argument) {
  struct native_start *data = malloc(sizeof *data);
  pthread_t thread;
  data->start = start;
  data->argument = argument;
  data->number = thread_count;
  if (thread_count == max_threads || pthread_create(&thread, 0, run_thread, data) != 0) _exit(2);
  return (unsigned int)thread_count++;
}

void __lazuli_end_thread(void) {
  end_thread();
  pthread_exit(0);
}

void *__lazuli_allocate(__SIZE_TYPE__ size, int zeroed) { return zeroed ? calloc(1, size) : malloc(size); }

void __lazuli_free(void *memory) { free(memory); }

unsigned char __lazuli_nondet_bool(void) { return next_random() & 1; }

unsigned int __lazuli_nondet_uint(void) { return next_random(); }

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

#define ACCESS(name) \
  void __tsan_##name(void *address) { (void)address; step(); }
ACCESS(read1) ACCESS(read2) ACCESS(read4) ACCESS(read8) ACCESS(read16)
ACCESS(write1) ACCESS(write2) ACCESS(write4) ACCESS(write8) ACCESS(write16)

void __tsan_read_range(void *address, unsigned long size) { (void)address; (void)size; step(); }
void __tsan_write_range(void *address, unsigned long size) { (void)address; (void)size; step(); }

#define ATOMIC(bits, type)                                                                                        \
  type __tsan_atomic##bits##_load(type *at, int order) { (void)order; step(); return *at; }                       \
  void __tsan_atomic##bits##_store(type *at, type value, int order) { (void)order; step(); *at = value; }         \
  type __tsan_atomic##bits##_exchange(type *at, type value, int order) {                                          \
    (void)order; step(); type old = *at; *at = value; return old;                                                 \
  }                                                                                                               \
  type __tsan_atomic##bits##_fetch_add(type *at, type value, int order) {                                         \
    (void)order; step(); type old = *at; *at = old + value; return old;                                           \
  }                                                                                                               \
  type __tsan_atomic##bits##_fetch_sub(type *at, type value, int order) {                                         \
    (void)order; step(); type old = *at; *at = old - value; return old;                                           \
  }                                                                                                               \
  int __tsan_atomic##bits##_compare_exchange_strong(type *at, type *expected, type value, int yes, int no) {      \
    (void)yes; (void)no; step();                                                                                  \
    int same = *at == *expected;                                                                                  \
    if (same) *at = value; else *expected = *at;                                                                  \
    return same;                                                                                                  \
  }
ATOMIC(8, unsigned char) ATOMIC(32, unsigned int) ATOMIC(64, unsigned long)

int program_main(void);

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 2;
  int schedules = count > 2 ? atoi(arguments[2]) : 1000;
  for (int schedule = 0; schedule < schedules; schedule++) {
    pid_t child = fork();
    if (child == 0) {
      random_state = (unsigned int)schedule * 2654435761u;
      rounds_left = rounds;
      steps_left = choose_steps();
      program_main();
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != violated)) {
      printf("schedule %d failed with status %d\n", schedule, status);
      return 2;
    }
    if (WEXITSTATUS(status) == violated) return 1;
  }
  return 0;
}

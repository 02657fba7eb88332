/* The primitives of the model library on real threads, so that the models can be run. To be put before the linked
   models in one translation unit, where the names of these start with model_ if the C library has them too.

   An atomic section holds one global lock. An assumption that fails inside gives the lock back, lets others run and starts
   the section again: the models write nothing before their assumptions. That is a jump back into a live frame; it needs
   -O0, because the locals of the section have to survive it. Exits with 1 at the first violation. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t native_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local jmp_buf native_section;
static _Thread_local int native_inside;
static _Thread_local unsigned int native_self;
static unsigned int native_thread_count = 1;

static void native_enter(void) {
  pthread_mutex_lock(&native_lock);
  native_inside = 1;
}

static void native_leave(void) {
  native_inside = 0;
  pthread_mutex_unlock(&native_lock);
}

/* Sections do not nest, so that one buffer a thread is enough. */
#define __lazuli_atomic_begin() (setjmp(native_section), native_enter())
#define __lazuli_atomic_end() native_leave()

unsigned int __lazuli_self(void) { return native_self; }

void __lazuli_assume(int condition) {
  if (condition) return;
  if (!native_inside) {
    printf("an assumption outside of an atomic section is false\n");
    exit(1);
  }
  native_leave();
  sched_yield();
  longjmp(native_section, 1);
}

void __lazuli_assert(int condition, const char *check, const char *message) {
  if (condition) return;
  printf("%s: %s\n", check, message);
  exit(1);
}

void __lazuli_halt(void) { exit(0); }

void __lazuli_end_thread(void) { pthread_exit(0); }

__attribute__((weak)) void __lazuli_thread_entry(void *(*start)(void *), void *argument);

struct native_start {
  void *(*start)(void *);
  void *argument;
  unsigned int number;
};

static void *native_run(void *data) {
  struct native_start start = *(struct native_start *)data;
  free(data);
  native_self = start.number;
  __lazuli_thread_entry(start.start, start.argument);
  return 0;
}

/* Called inside an atomic section, so the counter needs no lock of its own. */
unsigned int __lazuli_spawn(void *(*start)(void *), void *argument) {
  struct native_start *data = malloc(sizeof *data);
  pthread_t thread;
  data->start = start;
  data->argument = argument;
  data->number = native_thread_count++;
  if (pthread_create(&thread, 0, native_run, data) != 0) exit(2);
  pthread_detach(thread);
  return data->number;
}

/* Sizes are kept in front of the memory. */
void *__lazuli_allocate(__SIZE_TYPE__ size, int zeroed) {
  __SIZE_TYPE__ *memory = malloc(16 + size);
  memory[0] = size;
  memset((char *)memory + 16, zeroed ? 0 : 0xaa, size);
  return (char *)memory + 16;
}

void __lazuli_free(void *memory) { free((char *)memory - 16); }

__SIZE_TYPE__ __lazuli_object_size(const void *memory) { return *(const __SIZE_TYPE__ *)((const char *)memory - 16); }

/* Choices come from a fixed sequence. */
static _Thread_local unsigned int native_choice = 12345;

unsigned int __lazuli_nondet_uint(void) {
  native_choice = native_choice * 1664525u + 1013904223u;
  return native_choice >> 8;
}

unsigned char __lazuli_nondet_bool(void) { return __lazuli_nondet_uint() & 1; }

unsigned char __lazuli_nondet_uchar(void) { return (unsigned char)__lazuli_nondet_uint(); }

int __lazuli_nondet_int(void) { return (int)__lazuli_nondet_uint(); }

long __lazuli_nondet_long(void) { return (long)__lazuli_nondet_uint(); }

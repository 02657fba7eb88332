/* Thread-specific data and cleanup handlers: what a thread keeps for itself and what is run at its end. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_KEYS 16
#define __LAZULI_DESTRUCTOR_ITERATIONS 4

static unsigned int __lazuli_key_count;

static void (*__lazuli_key_destructor[__LAZULI_KEYS])(void *);

static unsigned char __lazuli_key_deleted[__LAZULI_KEYS];

static _Thread_local void *__lazuli_key_value[__LAZULI_KEYS];

/* A deleted key is not given out again. */
static unsigned int __lazuli_key_create(void (*destructor)(void *)) {
  unsigned int key;
  __lazuli_atomic_begin();
  key = __lazuli_key_count;
  if (key >= __LAZULI_KEYS) __lazuli_unsupported("more than 16 keys of thread-specific data");
  __lazuli_key_destructor[key] = destructor;
  __lazuli_key_count = key + 1;
  __lazuli_atomic_end();
  return key;
}

static void __lazuli_key_delete(unsigned int key) {
  __lazuli_atomic_begin();
  __lazuli_assert(key < __lazuli_key_count && !__lazuli_key_deleted[key], "thread", "deletion of a key that does not exist");
  __lazuli_key_deleted[key] = 1;
  __lazuli_key_destructor[key] = 0;
  __lazuli_atomic_end();
}

/* One round over the keys: gives the values to their destructors. Says whether there was any. */
static int __lazuli_run_key_destructors_once(void) {
  int any = 0;
  unsigned int count = __lazuli_key_count;
  for (unsigned int key = 0; key < count; key++) {
    void (*destructor)(void *) = __lazuli_key_destructor[key];
    void *value = __lazuli_key_value[key];
    if (value && destructor) {
      __lazuli_key_value[key] = 0;
      destructor(value);
      any = 1;
    }
  }
  return any;
}

static void __lazuli_run_key_destructors(void) {
  int any = 1;
  for (int round = 0; any && round < __LAZULI_DESTRUCTOR_ITERATIONS; round++) {
    any = __lazuli_run_key_destructors_once();
  }
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  *key = __lazuli_key_create(destructor);
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  __lazuli_key_delete(key);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  __lazuli_assert(key < __LAZULI_KEYS, "thread", "use of a key that does not exist");
  return __lazuli_key_value[key];
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  __lazuli_assert(key < __LAZULI_KEYS, "thread", "use of a key that does not exist");
  __lazuli_key_value[key] = (void *)value;
  return 0;
}

/* Cleanup handlers, by the functions that our pthread.h calls. */
static _Thread_local struct _pthread_cleanup_buffer *__lazuli_cleanup_top;

void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument) {
  buffer->__routine = routine;
  buffer->__arg = argument;
  buffer->__prev = __lazuli_cleanup_top;
  __lazuli_cleanup_top = buffer;
}

void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute) {
  __lazuli_cleanup_top = buffer->__prev;
  if (execute) buffer->__routine(buffer->__arg);
}

static void __lazuli_run_cleanup_handlers(void) {
  while (__lazuli_cleanup_top) {
    struct _pthread_cleanup_buffer *buffer = __lazuli_cleanup_top;
    __lazuli_cleanup_top = buffer->__prev;
    buffer->__routine(buffer->__arg);
  }
}

/* The same in programs preprocessed with glibc's headers: what the macro registers has handler and argument in words
   that are glibc's own (parse/keep-cleanup-handlers.ts puts them there), and here the one before it. Popping calls the
   handler in the program's own text. */
static _Thread_local void *__lazuli_cancel_top;

void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
  buffer->__pad[2] = __lazuli_cancel_top;
  __lazuli_cancel_top = buffer;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
  __lazuli_cancel_top = buffer->__pad[2];
}

static void __lazuli_run_cancel_handlers(void) {
  while (__lazuli_cancel_top) {
    __pthread_unwind_buf_t *buffer = __lazuli_cancel_top;
    __lazuli_cancel_top = buffer->__pad[2];
    ((void (*)(void *))buffer->__pad[0])(buffer->__pad[1]);
  }
}

/* Nobody comes back to the place of a push. */
void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  __lazuli_halt();
}

int __sigsetjmp_cancel(struct __cancel_jmp_buf_tag environment[1], int save_mask) {
  (void)environment;
  (void)save_mask;
  return 0;
}

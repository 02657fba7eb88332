/* Attributes of threads, scheduling and sleep: what hardly changes which executions there are.
   Word 0 of the attributes says whether the thread is detached; the others are kept only to be read back. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_ATTRIBUTE_DETACHED 0
#define __LAZULI_ATTRIBUTE_STACK_SIZE 1
#define __LAZULI_ATTRIBUTE_GUARD_SIZE 2
#define __LAZULI_ATTRIBUTE_POLICY 3
#define __LAZULI_ATTRIBUTE_PRIORITY 4
#define __LAZULI_ATTRIBUTE_INHERIT 5
#define __LAZULI_ATTRIBUTE_SCOPE 6
#define __LAZULI_ATTRIBUTE_STACK 8
#define __LAZULI_SMALLEST_STACK 16384

/* Attributes of other objects have one word, in which each has its bits. */
static void __lazuli_set_bits(int *word, int shift, unsigned int mask, int value) {
  *word = (int)(((unsigned int)*word & ~(mask << shift)) | (unsigned int)value << shift);
}

static int __lazuli_get_bits(const int *word, int shift, unsigned int mask) {
  return (int)((unsigned int)*word >> shift & mask);
}

int pthread_attr_init(pthread_attr_t *attributes) {
  int *words = (int *)attributes;
  words[__LAZULI_ATTRIBUTE_DETACHED] = 0;
  words[__LAZULI_ATTRIBUTE_STACK_SIZE] = 8 << 20;
  words[__LAZULI_ATTRIBUTE_GUARD_SIZE] = 4096;
  words[__LAZULI_ATTRIBUTE_POLICY] = 0;
  words[__LAZULI_ATTRIBUTE_PRIORITY] = 0;
  words[__LAZULI_ATTRIBUTE_INHERIT] = 0;
  words[__LAZULI_ATTRIBUTE_SCOPE] = 0;
  *(void **)&words[__LAZULI_ATTRIBUTE_STACK] = 0;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != 0 && state != 1) return __LAZULI_EINVAL;
  ((int *)attributes)[__LAZULI_ATTRIBUTE_DETACHED] = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = ((const int *)attributes)[__LAZULI_ATTRIBUTE_DETACHED];
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, __SIZE_TYPE__ size) {
  if (size < __LAZULI_SMALLEST_STACK) return __LAZULI_EINVAL;
  ((int *)attributes)[__LAZULI_ATTRIBUTE_STACK_SIZE] = (int)size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, __SIZE_TYPE__ *restrict size) {
  *size = (unsigned int)((const int *)attributes)[__LAZULI_ATTRIBUTE_STACK_SIZE];
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, __SIZE_TYPE__ size) {
  if (size < __LAZULI_SMALLEST_STACK) return __LAZULI_EINVAL;
  ((int *)attributes)[__LAZULI_ATTRIBUTE_STACK_SIZE] = (int)size;
  *(void **)&((int *)attributes)[__LAZULI_ATTRIBUTE_STACK] = stack;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict attributes, void **restrict stack,
                          __SIZE_TYPE__ *restrict size) {
  *stack = *(void *const *)&((const int *)attributes)[__LAZULI_ATTRIBUTE_STACK];
  *size = (unsigned int)((const int *)attributes)[__LAZULI_ATTRIBUTE_STACK_SIZE];
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, __SIZE_TYPE__ size) {
  ((int *)attributes)[__LAZULI_ATTRIBUTE_GUARD_SIZE] = (int)size;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, __SIZE_TYPE__ *size) {
  *size = (unsigned int)((const int *)attributes)[__LAZULI_ATTRIBUTE_GUARD_SIZE];
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  ((int *)attributes)[__LAZULI_ATTRIBUTE_POLICY] = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes, int *restrict policy) {
  *policy = ((const int *)attributes)[__LAZULI_ATTRIBUTE_POLICY];
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attributes, const struct sched_param *restrict parameters) {
  ((int *)attributes)[__LAZULI_ATTRIBUTE_PRIORITY] = *(const int *)parameters;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes, struct sched_param *restrict parameters) {
  *(int *)parameters = ((const int *)attributes)[__LAZULI_ATTRIBUTE_PRIORITY];
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  ((int *)attributes)[__LAZULI_ATTRIBUTE_INHERIT] = inherit;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attributes, int *restrict inherit) {
  *inherit = ((const int *)attributes)[__LAZULI_ATTRIBUTE_INHERIT];
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  ((int *)attributes)[__LAZULI_ATTRIBUTE_SCOPE] = scope;
  return 0;
}

int pthread_attr_getscope(const pthread_attr_t *restrict attributes, int *restrict scope) {
  *scope = ((const int *)attributes)[__LAZULI_ATTRIBUTE_SCOPE];
  return 0;
}

int pthread_setconcurrency(int level) {
  (void)level;
  return 0;
}

int pthread_getconcurrency(void) {
  return 0;
}

int pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread;
  return strlen(name) > 15 ? __LAZULI_ERANGE : 0;
}

/* Names of threads have at most 15 characters; which ones they have is not kept. */
int pthread_getname_np(pthread_t thread, char *name, __SIZE_TYPE__ size) {
  (void)thread;
  if (size < 16) return __LAZULI_ERANGE;
  for (int i = 0; i < 15; i++) name[i] = (char)__lazuli_nondet_schar();
  name[15] = 0;
  return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
  (void)thread;
  (void)policy;
  (void)parameters;
  return 0;
}

/* Who schedules whom how is not kept: any answer that there can be. */
int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict parameters) {
  unsigned int chosen = __lazuli_nondet_uint(), priority = __lazuli_nondet_uint();
  (void)thread;
  __lazuli_assume(chosen <= 2 && (chosen == 0 ? priority == 0 : priority >= 1 && priority <= 99));
  *policy = (int)chosen;
  *(int *)parameters = (int)priority;
  return 0;
}

int sched_get_priority_max(int policy) {
  if (policy == 1 || policy == 2) return 99;
  if (policy == 0 || policy == 3 || policy == 5) return 0;
  *__errno_location() = __LAZULI_EINVAL;
  return -1;
}

int sched_get_priority_min(int policy) {
  if (policy == 1 || policy == 2) return 1;
  if (policy == 0 || policy == 3 || policy == 5) return 0;
  *__errno_location() = __LAZULI_EINVAL;
  return -1;
}

int pthread_setschedprio(pthread_t thread, int priority) {
  (void)thread;
  (void)priority;
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, __SIZE_TYPE__ size, const cpu_set_t *set) {
  (void)thread;
  (void)size;
  (void)set;
  return 0;
}

int sched_setaffinity(pid_t process, __SIZE_TYPE__ size, const cpu_set_t *set) {
  (void)process;
  (void)size;
  (void)set;
  return 0;
}

int pthread_yield(void) {
  return 0;
}

int sched_yield(void) {
  return 0;
}

/* Sleep orders nothing: the other threads may do much or nothing meanwhile, as anywhere else. */
unsigned int sleep(unsigned int seconds) {
  (void)seconds;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return 0;
}

int nanosleep(const struct timespec *requested, struct timespec *remaining) {
  (void)requested;
  (void)remaining;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *requested, struct timespec *remaining) {
  (void)clock;
  (void)flags;
  (void)requested;
  (void)remaining;
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  return 0;
}

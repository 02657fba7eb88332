/* Attributes of threads, cancellation states, scheduling and sleep: what hardly changes which executions there are.
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

int pthread_attr_init(pthread_attr_t *attributes) {
  int *words = (int *)attributes;
  words[__LAZULI_ATTRIBUTE_DETACHED] = 0;
  words[__LAZULI_ATTRIBUTE_STACK_SIZE] = 8 << 20;
  words[__LAZULI_ATTRIBUTE_GUARD_SIZE] = 4096;
  words[__LAZULI_ATTRIBUTE_POLICY] = 0;
  words[__LAZULI_ATTRIBUTE_PRIORITY] = 0;
  words[__LAZULI_ATTRIBUTE_INHERIT] = 0;
  words[__LAZULI_ATTRIBUTE_SCOPE] = 0;
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
  ((int *)attributes)[__LAZULI_ATTRIBUTE_STACK_SIZE] = (int)size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, __SIZE_TYPE__ *restrict size) {
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

/* Without pthread_cancel, these two have nothing to decide. */
int pthread_setcancelstate(int state, int *old) {
  (void)state;
  if (old) *old = 0;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  (void)type;
  if (old) *old = 0;
  return 0;
}

void pthread_testcancel(void) {
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
  (void)name;
  return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
  (void)thread;
  (void)policy;
  (void)parameters;
  return 0;
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
  return 0;
}

int usleep(useconds_t microseconds) {
  (void)microseconds;
  return 0;
}

int nanosleep(const struct timespec *requested, struct timespec *remaining) {
  (void)requested;
  (void)remaining;
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *requested, struct timespec *remaining) {
  (void)clock;
  (void)flags;
  (void)requested;
  (void)remaining;
  return 0;
}

/* Clocks tell anything: time is not part of the model, not even that it passes. */
#include "constants.h"
#include "primitives.h"

time_t time(time_t *result) {
  time_t now = (time_t)(__lazuli_nondet_ulong() >> 1);
  if (result) *result = now;
  return now;
}

clock_t clock(void) {
  clock_t used = (clock_t)__lazuli_nondet_long();
  return used < -1 ? -1 : used;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long seconds = __lazuli_nondet_long();
  long nanoseconds = __lazuli_nondet_long();
  (void)clock;
  __lazuli_assume(seconds >= 0 && nanoseconds >= 0 && nanoseconds < 1000000000);
  now->tv_sec = seconds;
  now->tv_nsec = nanoseconds;
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  if (base != 1) return 0;
  clock_gettime(0, now);
  return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  long seconds = __lazuli_nondet_long();
  long microseconds = __lazuli_nondet_long();
  (void)zone;
  __lazuli_assume(seconds >= 0 && microseconds >= 0 && microseconds < 1000000);
  now->tv_sec = seconds;
  now->tv_usec = microseconds;
  return 0;
}

double difftime(time_t later, time_t earlier) {
  return (double)(later - earlier);
}

unsigned int alarm(unsigned int seconds) {
  if (seconds != 0) __lazuli_unsupported("alarm is not modelled");
  return 0;
}

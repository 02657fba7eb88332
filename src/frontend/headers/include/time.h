/* C11 7.27 and POSIX: time. */
#ifndef _TIME_H
#define _TIME_H

#include <lazuli/time-structures.h>
#include <stddef.h>
#include <sys/types.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

struct itimerspec {
  struct timespec it_interval;
  struct timespec it_value;
};

clock_t clock(void);
time_t time(time_t *result);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *parts);
int timespec_get(struct timespec *result, int base);
struct tm *gmtime(const time_t *moment);
struct tm *localtime(const time_t *moment);
struct tm *gmtime_r(const time_t *restrict moment, struct tm *restrict parts);
struct tm *localtime_r(const time_t *restrict moment, struct tm *restrict parts);
char *asctime(const struct tm *parts);
char *ctime(const time_t *moment);
char *asctime_r(const struct tm *restrict parts, char *restrict buffer);
char *ctime_r(const time_t *moment, char *buffer);
size_t strftime(char *restrict buffer, size_t size, const char *restrict format, const struct tm *restrict parts);
int nanosleep(const struct timespec *requested, struct timespec *remaining);
int clock_getres(clockid_t clock, struct timespec *resolution);
int clock_gettime(clockid_t clock, struct timespec *now);
int clock_settime(clockid_t clock, const struct timespec *now);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *requested, struct timespec *remaining);

#endif

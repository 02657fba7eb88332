/* POSIX: time of the day and interval timers. */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <lazuli/time-structures.h>
#include <sys/select.h>
#include <sys/types.h>

struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};

struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timercmp(a, b, CMP) \
  (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec CMP (b)->tv_usec) : ((a)->tv_sec CMP (b)->tv_sec))

int gettimeofday(struct timeval *restrict now, void *restrict zone);
int settimeofday(const struct timeval *now, const struct timezone *zone);
int utimes(const char *path, const struct timeval times[2]);

#define timeradd(a, b, result)                                \
  do {                                                        \
    (result)->tv_sec = (a)->tv_sec + (b)->tv_sec;             \
    (result)->tv_usec = (a)->tv_usec + (b)->tv_usec;          \
    if ((result)->tv_usec >= 1000000) {                       \
      ++(result)->tv_sec;                                     \
      (result)->tv_usec -= 1000000;                           \
    }                                                         \
  } while (0)
#define timersub(a, b, result)                                \
  do {                                                        \
    (result)->tv_sec = (a)->tv_sec - (b)->tv_sec;             \
    (result)->tv_usec = (a)->tv_usec - (b)->tv_usec;          \
    if ((result)->tv_usec < 0) {                              \
      --(result)->tv_sec;                                     \
      (result)->tv_usec += 1000000;                           \
    }                                                         \
  } while (0)

int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *restrict value, struct itimerval *restrict old);
int futimes(int file, const struct timeval times[2]);
int lutimes(const char *path, const struct timeval times[2]);

#endif

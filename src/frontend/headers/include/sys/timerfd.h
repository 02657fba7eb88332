/* Linux: files that tell the time. */
#ifndef _SYS_TIMERFD_H
#define _SYS_TIMERFD_H

#include <time.h>

#define TFD_CLOEXEC 02000000
#define TFD_NONBLOCK 04000
#define TFD_TIMER_ABSTIME 1
#define TFD_TIMER_CANCEL_ON_SET 2

int timerfd_create(clockid_t clock, int flags);
int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *old);
int timerfd_gettime(int file, struct itimerspec *value);

#endif

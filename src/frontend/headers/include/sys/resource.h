/* Use and limits of resources. */
#ifndef _SYS_RESOURCE_H
#define _SYS_RESOURCE_H

#include <lazuli/time-structures.h>

typedef unsigned long rlim_t;

struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};

struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
};

#define RLIMIT_STACK 3
#define RLIMIT_NOFILE 7
#define RUSAGE_SELF 0

int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
int getrusage(int who, struct rusage *usage);

#endif

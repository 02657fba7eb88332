/* The time structures that several headers share. */
#ifndef _LAZULI_TIME_STRUCTURES_H
#define _LAZULI_TIME_STRUCTURES_H

typedef long time_t;
typedef long suseconds_t;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

#endif

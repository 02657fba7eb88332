/* POSIX: waiting for several files. */
#ifndef _POLL_H
#define _POLL_H

typedef unsigned long nfds_t;

struct pollfd {
  int fd;
  short events;
  short revents;
};

#define POLLIN 0x001
#define POLLPRI 0x002
#define POLLOUT 0x004
#define POLLERR 0x008
#define POLLHUP 0x010
#define POLLNVAL 0x020

int poll(struct pollfd *files, nfds_t count, int timeout);

#include <signal.h>

#define POLLRDNORM 64
#define POLLRDBAND 128
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLMSG 0x400
#define POLLREMOVE 0x1000
#define POLLRDHUP 0x2000
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

#endif

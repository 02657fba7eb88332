/* Linux: waiting for many files. */
#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

typedef union epoll_data {
  void *ptr;
  int fd;
  uint32_t u32;
  uint64_t u64;
} epoll_data_t;

#ifdef __LP64__
struct epoll_event {
  uint32_t events;
  epoll_data_t data;
} __attribute__((packed));
#else
struct epoll_event {
  uint32_t events;
  epoll_data_t data;
};
#endif

#define EPOLLIN 0x001
#define EPOLLPRI 0x002
#define EPOLLOUT 0x004
#define EPOLLERR 0x008
#define EPOLLHUP 0x010
#define EPOLLRDNORM 0x040
#define EPOLLRDBAND 0x080
#define EPOLLWRNORM 0x100
#define EPOLLWRBAND 0x200
#define EPOLLMSG 0x400
#define EPOLLRDHUP 0x2000
#define EPOLLEXCLUSIVE (1u << 28)
#define EPOLLWAKEUP (1u << 29)
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int epoll, int operation, int file, struct epoll_event *event);
int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout);
int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout, const sigset_t *mask);

#endif

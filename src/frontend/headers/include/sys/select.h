/* POSIX: waiting for several files. */
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H

#include <lazuli/time-structures.h>
#include <signal.h>

#define FD_SETSIZE 1024

typedef struct {
  long fds_bits[FD_SETSIZE / (8 * sizeof(long))];
} fd_set;

#define __LAZULI_FD_WORD(file, set) ((set)->fds_bits[(file) / (8 * (int)sizeof(long))])
#define __LAZULI_FD_BIT(file) ((long)(1UL << ((file) % (8 * (int)sizeof(long)))))
#define FD_SET(file, set) ((void)(__LAZULI_FD_WORD(file, set) |= __LAZULI_FD_BIT(file)))
#define FD_CLR(file, set) ((void)(__LAZULI_FD_WORD(file, set) &= ~__LAZULI_FD_BIT(file)))
#define FD_ISSET(file, set) ((__LAZULI_FD_WORD(file, set) & __LAZULI_FD_BIT(file)) != 0)
#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))

int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except, struct timeval *restrict timeout);
int pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
            const struct timespec *restrict timeout, const sigset_t *restrict mask);

#endif

/* POSIX: waiting for processes. */
#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H

#include <signal.h>
#include <sys/types.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 8
#define WTERMSIG(status) ((status)&0x7f)
#define WEXITSTATUS(status) (((status)&0xff00) >> 8)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status)&0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status)&0xff) == 0x7f)

pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);

#include <sys/resource.h>

#define WCOREDUMP(status) ((status)&0x80)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WEXITED 4
#define WSTOPPED 2
#define WNOWAIT 0x1000000

typedef enum { P_ALL, P_PID, P_PGID } idtype_t;

int waitid(idtype_t type, id_t id, siginfo_t *info, int options);
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t process, int *status, int options, struct rusage *usage);

#endif

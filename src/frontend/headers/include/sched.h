/* POSIX: scheduling. */
#ifndef _SCHED_H
#define _SCHED_H

#include <lazuli/time-structures.h>
#include <stddef.h>
#include <sys/types.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

struct sched_param {
  int sched_priority;
};

#define CPU_SETSIZE 1024
typedef struct {
  unsigned long __bits[CPU_SETSIZE / (8 * sizeof(unsigned long))];
} cpu_set_t;
#define __LAZULI_CPU_WORD(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(unsigned long))])
#define __LAZULI_CPU_BIT(cpu) (1UL << ((cpu) % (8 * sizeof(unsigned long))))
#define CPU_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(cpu_set_t)))
#define CPU_SET(cpu, set) ((void)(__LAZULI_CPU_WORD(cpu, set) |= __LAZULI_CPU_BIT(cpu)))
#define CPU_CLR(cpu, set) ((void)(__LAZULI_CPU_WORD(cpu, set) &= ~__LAZULI_CPU_BIT(cpu)))
#define CPU_ISSET(cpu, set) ((__LAZULI_CPU_WORD(cpu, set) & __LAZULI_CPU_BIT(cpu)) != 0)

int sched_yield(void);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_getscheduler(pid_t process);
int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters);
int sched_getparam(pid_t process, struct sched_param *parameters);
int sched_setparam(pid_t process, const struct sched_param *parameters);
int sched_rr_get_interval(pid_t process, struct timespec *interval);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getcpu(void);

#endif

/* Numbers of the system calls that multi-threaded programs make by hand. */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H

#ifdef __LP64__
#define __NR_read 0
#define __NR_write 1
#define __NR_open 2
#define __NR_close 3
#define __NR_mmap 9
#define __NR_munmap 11
#define __NR_brk 12
#define __NR_sched_yield 24
#define __NR_nanosleep 35
#define __NR_getpid 39
#define __NR_clone 56
#define __NR_fork 57
#define __NR_exit 60
#define __NR_kill 62
#define __NR_gettid 186
#define __NR_futex 202
#define __NR_sched_setaffinity 203
#define __NR_sched_getaffinity 204
#define __NR_exit_group 231
#define __NR_tgkill 234
#define __NR_set_robust_list 273
#define __NR_get_robust_list 274
#define __NR_getcpu 309
#define __NR_membarrier 324
#define __NR_clock_gettime 228
#define __NR_gettimeofday 96
#define __NR_time 201
#define __NR_mprotect 10
#define __NR_madvise 28
#else
#define __NR_read 3
#define __NR_write 4
#define __NR_open 5
#define __NR_close 6
#define __NR_mmap 90
#define __NR_munmap 91
#define __NR_brk 45
#define __NR_sched_yield 158
#define __NR_nanosleep 162
#define __NR_getpid 20
#define __NR_clone 120
#define __NR_fork 2
#define __NR_exit 1
#define __NR_kill 37
#define __NR_gettid 224
#define __NR_futex 240
#define __NR_sched_setaffinity 241
#define __NR_sched_getaffinity 242
#define __NR_exit_group 252
#define __NR_tgkill 270
#define __NR_set_robust_list 311
#define __NR_get_robust_list 312
#define __NR_getcpu 318
#define __NR_membarrier 375
#define __NR_clock_gettime 265
#define __NR_gettimeofday 78
#define __NR_time 13
#define __NR_mprotect 125
#define __NR_madvise 219
#endif

#define SYS_read __NR_read
#define SYS_write __NR_write
#define SYS_open __NR_open
#define SYS_close __NR_close
#define SYS_mmap __NR_mmap
#define SYS_munmap __NR_munmap
#define SYS_brk __NR_brk
#define SYS_sched_yield __NR_sched_yield
#define SYS_nanosleep __NR_nanosleep
#define SYS_getpid __NR_getpid
#define SYS_clone __NR_clone
#define SYS_fork __NR_fork
#define SYS_exit __NR_exit
#define SYS_kill __NR_kill
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
#define SYS_sched_setaffinity __NR_sched_setaffinity
#define SYS_sched_getaffinity __NR_sched_getaffinity
#define SYS_exit_group __NR_exit_group
#define SYS_tgkill __NR_tgkill
#define SYS_set_robust_list __NR_set_robust_list
#define SYS_get_robust_list __NR_get_robust_list
#define SYS_getcpu __NR_getcpu
#define SYS_membarrier __NR_membarrier
#define SYS_clock_gettime __NR_clock_gettime
#define SYS_gettimeofday __NR_gettimeofday
#define SYS_time __NR_time
#define SYS_mprotect __NR_mprotect
#define SYS_madvise __NR_madvise

#endif

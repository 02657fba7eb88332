/* Numbers of the C library that the models give or take, and the choices that can be made with -D. */
#ifndef _LAZULI_CONSTANTS_H
#define _LAZULI_CONSTANTS_H

/* A waiter on a condition variable may wake up without a signal, as POSIX allows. With 0 it wakes up for signals
   only. */
#ifndef __LAZULI_SPURIOUS_WAKEUPS
#define __LAZULI_SPURIOUS_WAKEUPS 1
#endif

/* With 1, malloc and its like may also give a null pointer. */
#ifndef __LAZULI_MALLOC_MAY_FAIL
#define __LAZULI_MALLOC_MAY_FAIL 0
#endif

/* With 1, the end of a program that outlives main is a step of main, so that leaks can be looked for there. */
#ifndef __LAZULI_LEAKS
#define __LAZULI_LEAKS 0
#endif

/* With 1, it is kept who waits on a condition variable, so that waiters that nobody wakes can be told. They may still
   wake up without a signal. */
#ifndef __LAZULI_DEADLOCKS
#define __LAZULI_DEADLOCKS 0
#endif

/* With 1, stores may reach memory late: routines that do not wait for them in the C library do not wait here. */
#ifndef __LAZULI_WEAK_MEMORY
#define __LAZULI_WEAK_MEMORY 0
#endif

/* The largest number of threads that run, main included, and that are created. The others never run, and cannot
   be joined. */
#define __LAZULI_THREADS 512
#define __LAZULI_CREATED_THREADS 16384

#define __LAZULI_EPERM 1
#define __LAZULI_ESRCH 3
#define __LAZULI_EINTR 4
#define __LAZULI_EAGAIN 11
#define __LAZULI_ENOMEM 12
#define __LAZULI_EBUSY 16
#define __LAZULI_EEXIST 17
#define __LAZULI_EINVAL 22
#define __LAZULI_ERANGE 34
#define __LAZULI_EDEADLK 35
#define __LAZULI_ENOENT 2
#define __LAZULI_EOVERFLOW 75
#define __LAZULI_ETIMEDOUT 110
#define __LAZULI_EOWNERDEAD 130
#define __LAZULI_ENOTRECOVERABLE 131

#define __LAZULI_INT_MAX 2147483647

#define __LAZULI_SC_PAGESIZE 30
#define __LAZULI_SC_NPROCESSORS_CONF 83
#define __LAZULI_SC_NPROCESSORS_ONLN 84

#define __LAZULI_SIG_BLOCK 0
#define __LAZULI_SIG_UNBLOCK 1
#define __LAZULI_SIG_SETMASK 2

#endif

/* POSIX semaphores. The object has glibc's size; the models keep their state in its first words. */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <lazuli/time-structures.h>
#include <sys/types.h>

#ifdef __LP64__
#define __SIZEOF_SEM_T 32
#else
#define __SIZEOF_SEM_T 16
#endif

typedef struct {
  int __words[__SIZEOF_SEM_T / 4];
} sem_t;

#define SEM_FAILED ((sem_t *)0)

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline);
int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict deadline);
int sem_trywait(sem_t *semaphore);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *restrict semaphore, int *restrict value);

#endif

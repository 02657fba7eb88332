/* C11 7.26: threads. The objects have the sizes of their POSIX counterparts, on which the models are built. */
#ifndef _THREADS_H
#define _THREADS_H

#include <lazuli/time-structures.h>
#include <time.h>

#define thread_local _Thread_local
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4

enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };

typedef unsigned long thrd_t;
typedef unsigned int tss_t;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef struct {
  int __data;
} once_flag;
typedef struct {
#ifdef __LP64__
  int __words[10];
#else
  int __words[6];
#endif
} mtx_t;
typedef struct {
  int __words[12];
} cnd_t;

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_equal(thrd_t left, thrd_t right);
thrd_t thrd_current(void);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
_Noreturn void thrd_exit(int result);
int thrd_detach(thrd_t thread);
int thrd_join(thrd_t thread, int *result);
void thrd_yield(void);
int mtx_init(mtx_t *mutex, int type);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);
void call_once(once_flag *flag, void (*routine)(void));
int cnd_init(cnd_t *condition);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline);
void cnd_destroy(cnd_t *condition);
int tss_create(tss_t *key, tss_dtor_t destructor);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
void tss_delete(tss_t key);

#endif

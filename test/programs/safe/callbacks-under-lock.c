// lazuli: expect safe; unwind 1; rounds 2
// What a thread does is a function in a record, which takes the lock.
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error() { assert(0); }
extern void __VERIFIER_atomic_begin(); extern void __VERIFIER_atomic_end();
#define assert_racefree(x) do { \
  __VERIFIER_atomic_begin(); int tmp = x; __VERIFIER_atomic_end(); \
  __VERIFIER_atomic_begin(); if (x != tmp) reach_error(); __VERIFIER_atomic_end(); } while (0)
int global;
pthread_mutex_t gm = PTHREAD_MUTEX_INITIALIZER;
void bad() { global++; }
void good() { pthread_mutex_lock(&gm); bad(); pthread_mutex_unlock(&gm); }
struct ops { void (*f)(void); void (*g)(void); };
struct ops o = { .f = good, .g = 0 };
void *t_fun(void *arg) { struct ops *p = arg; if (p->g) p->g(); p->f(); return NULL; }
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, t_fun, &o);
  pthread_mutex_lock(&gm);
  assert_racefree(global);
  pthread_mutex_unlock(&gm);
  pthread_join(id, NULL);
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 1; LP64
// Attributes are read back as they were set; of what the models do not keep, they tell what there can be.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static void mutexes(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  int ceiling;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_setprioceiling(&attributes, 7) == 0);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_getprioceiling(&mutex, &ceiling) == 0 && ceiling == 7);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void threads(void) {
  static char stack[32768];
  pthread_attr_t attributes;
  void *start;
  size_t size;
  int old;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  pthread_attr_getstack(&attributes, &start, &size);
  assert(start == stack && size == sizeof stack);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  assert(old == PTHREAD_CANCEL_DISABLE);
}

static void schedulers(void) {
  struct sched_param parameters;
  int policy;
  assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
  assert(parameters.sched_priority <= sched_get_priority_max(policy));
  assert(parameters.sched_priority >= sched_get_priority_min(policy));
}

static void named_semaphores(void) {
  assert(sem_open("/queue", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_open("/queue", O_CREAT, 0600, 1) != SEM_FAILED);
  assert(sem_open("/queue", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
}

int main(void) {
  mutexes();
  threads();
  schedulers();
  named_semaphores();
  return 0;
}

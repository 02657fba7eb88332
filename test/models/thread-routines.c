/* Runs the models of the thread routines on real threads: mutual exclusion, barriers, condition variables without
   spurious wake-ups, and the rest of their meaning. An argument runs one misuse instead, which has to be a violation.
   Stands after native-primitives.h and the linked models. */
#include <errno.h>
#include <semaphore.h>

#define CHECK(condition)                                          \
  do {                                                            \
    if (!(condition)) {                                           \
      printf("line %d: not %s\n", __LINE__, #condition);          \
      exit(1);                                                    \
    }                                                             \
  } while (0)

enum { workers = 4, turns = 200 };

static void run_all(void *(*start)(void *)) {
  pthread_t threads[workers];
  for (long i = 0; i < workers; i++) CHECK(model_pthread_create(&threads[i], 0, start, (void *)i) == 0);
  for (long i = 0; i < workers; i++) {
    void *result = 0;
    CHECK(model_pthread_join(threads[i], &result) == 0);
    CHECK(result == (void *)(i + 1000));
  }
}

static volatile int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

/* The result goes back through pthread_exit for odd workers, through return for the others. */
static void *finish(void *number) {
  if ((long)number % 2) model_pthread_exit((void *)((long)number + 1000));
  return (void *)((long)number + 1000);
}

static void count(void) {
  int seen = counter;
  sched_yield();
  counter = seen + 1;
}

static void *use_mutex(void *number) {
  for (int i = 0; i < turns; i++) {
    while (i % 3 == 2 && model_pthread_mutex_trylock(&mutex) == EBUSY) sched_yield();
    if (i % 3 != 2) CHECK(model_pthread_mutex_lock(&mutex) == 0);
    count();
    CHECK(model_pthread_mutex_unlock(&mutex) == 0);
  }
  return finish(number);
}

static void *use_recursive_mutex(void *number) {
  for (int i = 0; i < turns; i++) {
    CHECK(model_pthread_mutex_lock(&recursive) == 0);
    CHECK(model_pthread_mutex_lock(&recursive) == 0);
    CHECK(model_pthread_mutex_trylock(&recursive) == 0);
    CHECK(model_pthread_mutex_unlock(&recursive) == 0);
    count();
    CHECK(model_pthread_mutex_unlock(&recursive) == 0);
    CHECK(model_pthread_mutex_unlock(&recursive) == 0);
  }
  return finish(number);
}

static void *use_checking_mutex(void *number) {
  for (int i = 0; i < turns; i++) {
    CHECK(model_pthread_mutex_unlock(&checking) == EPERM);
    CHECK(model_pthread_mutex_lock(&checking) == 0);
    CHECK(model_pthread_mutex_lock(&checking) == EDEADLK);
    CHECK(model_pthread_mutex_trylock(&checking) == EBUSY);
    count();
    CHECK(model_pthread_mutex_unlock(&checking) == 0);
  }
  return finish(number);
}

static void *use_spin_lock(void *number) {
  for (int i = 0; i < turns; i++) {
    model_pthread_spin_lock(&spin);
    count();
    model_pthread_spin_unlock(&spin);
  }
  return finish(number);
}

static void *use_rwlock(void *number) {
  for (int i = 0; i < turns; i++) {
    CHECK(model_pthread_rwlock_rdlock(&rwlock) == 0);
    int seen = counter;
    sched_yield();
    CHECK(counter == seen);
    model_pthread_rwlock_unlock(&rwlock);
    CHECK(model_pthread_rwlock_wrlock(&rwlock) == 0);
    CHECK(model_pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
    count();
    model_pthread_rwlock_unlock(&rwlock);
  }
  return finish(number);
}

static void *use_semaphore(void *number) {
  for (int i = 0; i < turns; i++) {
    while (i % 2 && model_sem_trywait(&semaphore) != 0) CHECK(*model___errno_location() == EAGAIN);
    if (i % 2 == 0) model_sem_wait(&semaphore);
    count();
    model_sem_post(&semaphore);
  }
  return finish(number);
}

static int serials;

static void *use_barrier(void *number) {
  for (int i = 0; i < turns; i++) {
    model_pthread_mutex_lock(&mutex);
    count();
    model_pthread_mutex_unlock(&mutex);
    int result = model_pthread_barrier_wait(&barrier);
    CHECK(counter == (i + 1) * workers);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serials, 1, __ATOMIC_SEQ_CST);
    model_pthread_barrier_wait(&barrier);
  }
  return finish(number);
}

/* A token goes round: a lost signal would stop the test, a wake-up of the wrong thread only costs time. */
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;

static void *use_condition(void *number) {
  for (int i = 0; i < turns; i++) {
    model_pthread_mutex_lock(&mutex);
    while (counter % workers != (long)number) CHECK(model_pthread_cond_wait(&turned, &mutex) == 0);
    count();
    model_pthread_cond_broadcast(&turned);
    model_pthread_mutex_unlock(&mutex);
  }
  return finish(number);
}

/* Every signal wakes a thread that waits already: as many wake-ups as signals, with no predicate. */
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait_for_signal(void *number) {
  model_pthread_mutex_lock(&mutex);
  waiting++;
  model_pthread_cond_wait(&handed, &mutex);
  count();
  model_pthread_mutex_unlock(&mutex);
  return finish(number);
}

static void test_exact_signals(void) {
  pthread_t threads[workers];
  for (long i = 0; i < workers; i++) model_pthread_create(&threads[i], 0, wait_for_signal, (void *)i);
  for (int all = 0; !all;) {
    model_pthread_mutex_lock(&mutex);
    all = waiting == workers;
    model_pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < workers; i++) {
    model_pthread_mutex_lock(&mutex);
    CHECK(counter <= i);
    model_pthread_mutex_unlock(&mutex);
    model_pthread_cond_signal(&handed);
  }
  for (int i = 0; i < workers; i++) model_pthread_join(threads[i], 0);
  CHECK(counter == workers);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static volatile int destroyed, cleaned;

static void initialize(void) {
  sched_yield();
  count();
}

static void destroy(void *value) {
  CHECK(value != 0);
  __atomic_fetch_add(&destroyed, 1, __ATOMIC_SEQ_CST);
  if (value == &counter) model_pthread_setspecific(key, &destroyed);
}

static void clean(void *value) {
  CHECK(value == (void *)7);
  __atomic_fetch_add(&cleaned, 1, __ATOMIC_SEQ_CST);
}

static void *use_thread_data(void *number) {
  struct _pthread_cleanup_buffer outer, inner;
  model_pthread_once(&once, initialize);
  CHECK(counter == 1);
  CHECK(model_pthread_getspecific(key) == 0);
  model_pthread_setspecific(key, (void *)&counter);
  CHECK(model_pthread_getspecific(key) == &counter);
  model__pthread_cleanup_push(&outer, clean, (void *)7);
  model__pthread_cleanup_push(&inner, clean, (void *)7);
  model__pthread_cleanup_pop(&inner, 1);
  model_pthread_exit((void *)((long)number + 1000));
  return 0;
}

static pthread_mutex_t robust;

static void *end_with_lock(void *number) {
  CHECK(model_pthread_mutex_lock(&robust) == 0);
  return number;
}

static void test_robust_mutex(void) {
  pthread_mutexattr_t attributes;
  pthread_t thread;
  model_pthread_mutexattr_init(&attributes);
  model_pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  model_pthread_mutex_init(&robust, &attributes);
  for (int i = 0; i < 2; i++) {
    model_pthread_create(&thread, 0, end_with_lock, 0);
    CHECK(model_pthread_join(thread, 0) == 0);
    CHECK(model_pthread_mutex_lock(&robust) == EOWNERDEAD);
    if (i == 0) CHECK(model_pthread_mutex_consistent(&robust) == 0);
    CHECK(model_pthread_mutex_unlock(&robust) == 0);
  }
  CHECK(model_pthread_mutex_lock(&robust) == ENOTRECOVERABLE);
}

/* What an attribute is set to, rightly and wrongly, has the result that it has in the C library, and is read back. */
#define CHECK_ATTRIBUTE(attributes, own, set, own_set, get, own_get)   \
  for (int value = -1; value < 200; value++) {                         \
    int read = -9, own_read = -9;                                      \
    CHECK(set(&attributes, value) == own_set(&own, value));            \
    CHECK(get(&attributes, &read) == own_get(&own, &own_read));        \
    CHECK(read == own_read);                                           \
  }

static void test_attributes(void) {
  pthread_mutexattr_t mutex_attributes, own_mutex_attributes;
  pthread_condattr_t condition_attributes, own_condition_attributes;
  pthread_rwlockattr_t rwlock_attributes, own_rwlock_attributes;
  pthread_barrierattr_t barrier_attributes, own_barrier_attributes;
  pthread_mutexattr_init(&mutex_attributes);
  pthread_condattr_init(&condition_attributes);
  pthread_rwlockattr_init(&rwlock_attributes);
  pthread_barrierattr_init(&barrier_attributes);
  model_pthread_mutexattr_init(&own_mutex_attributes);
  model_pthread_condattr_init(&own_condition_attributes);
  model_pthread_rwlockattr_init(&own_rwlock_attributes);
  model_pthread_barrierattr_init(&own_barrier_attributes);
  for (int again = 0; again < 2; again++) {
    CHECK_ATTRIBUTE(mutex_attributes, own_mutex_attributes, pthread_mutexattr_settype, model_pthread_mutexattr_settype,
                    pthread_mutexattr_gettype, model_pthread_mutexattr_gettype)
    CHECK_ATTRIBUTE(mutex_attributes, own_mutex_attributes, pthread_mutexattr_setrobust, model_pthread_mutexattr_setrobust,
                    pthread_mutexattr_getrobust, model_pthread_mutexattr_getrobust)
    CHECK_ATTRIBUTE(mutex_attributes, own_mutex_attributes, pthread_mutexattr_setpshared, model_pthread_mutexattr_setpshared,
                    pthread_mutexattr_getpshared, model_pthread_mutexattr_getpshared)
    CHECK_ATTRIBUTE(mutex_attributes, own_mutex_attributes, pthread_mutexattr_setprotocol, model_pthread_mutexattr_setprotocol,
                    pthread_mutexattr_getprotocol, model_pthread_mutexattr_getprotocol)
    CHECK_ATTRIBUTE(mutex_attributes, own_mutex_attributes, pthread_mutexattr_setprioceiling, model_pthread_mutexattr_setprioceiling,
                    pthread_mutexattr_getprioceiling, model_pthread_mutexattr_getprioceiling)
    CHECK_ATTRIBUTE(condition_attributes, own_condition_attributes, pthread_condattr_setclock, model_pthread_condattr_setclock,
                    pthread_condattr_getclock, model_pthread_condattr_getclock)
    CHECK_ATTRIBUTE(condition_attributes, own_condition_attributes, pthread_condattr_setpshared, model_pthread_condattr_setpshared,
                    pthread_condattr_getpshared, model_pthread_condattr_getpshared)
    CHECK_ATTRIBUTE(rwlock_attributes, own_rwlock_attributes, pthread_rwlockattr_setpshared, model_pthread_rwlockattr_setpshared,
                    pthread_rwlockattr_getpshared, model_pthread_rwlockattr_getpshared)
    CHECK_ATTRIBUTE(rwlock_attributes, own_rwlock_attributes, pthread_rwlockattr_setkind_np, model_pthread_rwlockattr_setkind_np,
                    pthread_rwlockattr_getkind_np, model_pthread_rwlockattr_getkind_np)
    CHECK_ATTRIBUTE(barrier_attributes, own_barrier_attributes, pthread_barrierattr_setpshared, model_pthread_barrierattr_setpshared,
                    pthread_barrierattr_getpshared, model_pthread_barrierattr_getpshared)
  }
  for (int policy = -1; policy < 6; policy++) {
    CHECK(sched_get_priority_min(policy) == model_sched_get_priority_min(policy));
    CHECK(sched_get_priority_max(policy) == model_sched_get_priority_max(policy));
  }
}

static void test_thread_attributes(void) {
  pthread_attr_t attributes;
  static char stack[20000];
  void *start = 0;
  size_t size = 0;
  int old = -1;
  model_pthread_attr_init(&attributes);
  CHECK(model_pthread_attr_setstacksize(&attributes, 100) == EINVAL);
  CHECK(model_pthread_attr_setstack(&attributes, stack, 100) == EINVAL);
  CHECK(model_pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
  CHECK(model_pthread_attr_getstack(&attributes, &start, &size) == 0);
  CHECK(start == stack && size == sizeof stack);
  CHECK(model_pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  CHECK(model_pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  CHECK(model_pthread_setcancelstate(7, &old) == EINVAL);
  CHECK(model_pthread_setname_np(model_pthread_self(), "sixteen letters!") == ERANGE);
}

static void *nothing(void *value) { return value; }

static void misuse(const char *what) {
  pthread_t thread;
  model_pthread_create(&thread, 0, nothing, 0);
  if (!strcmp(what, "unlock-free")) model_pthread_mutex_unlock(&mutex);
  if (!strcmp(what, "destroyed-lock")) {
    model_pthread_mutex_destroy(&mutex);
    model_pthread_mutex_lock(&mutex);
  }
  if (!strcmp(what, "destroy-locked")) {
    model_pthread_mutex_lock(&mutex);
    model_pthread_mutex_destroy(&mutex);
  }
  if (!strcmp(what, "join-twice")) {
    model_pthread_join(thread, 0);
    model_pthread_join(thread, 0);
  }
  if (!strcmp(what, "join-detached")) {
    model_pthread_detach(thread);
    model_pthread_join(thread, 0);
  }
  if (!strcmp(what, "join-nothing")) model_pthread_join(0, 0);
  if (!strcmp(what, "unlock-free-rwlock")) model_pthread_rwlock_unlock(&rwlock);
  if (!strcmp(what, "unlock-free-spin")) model_pthread_spin_unlock(&spin);
  if (!strcmp(what, "barrier-uninitialized")) model_pthread_barrier_wait(&barrier);
  if (!strcmp(what, "destroyed-unlock")) {
    model_pthread_mutex_destroy(&mutex);
    model_pthread_mutex_unlock(&mutex);
  }
  if (!strcmp(what, "destroy-twice")) {
    model_pthread_mutex_destroy(&mutex);
    model_pthread_mutex_destroy(&mutex);
  }
  if (!strcmp(what, "destroyed-rwlock")) {
    model_pthread_rwlock_destroy(&rwlock);
    model_pthread_rwlock_rdlock(&rwlock);
  }
  if (!strcmp(what, "destroyed-semaphore")) {
    model_sem_init(&semaphore, 0, 1);
    model_sem_destroy(&semaphore);
    model_sem_post(&semaphore);
  }
  if (!strcmp(what, "destroyed-condition")) {
    model_pthread_cond_destroy(&turned);
    model_pthread_cond_signal(&turned);
  }
  if (!strcmp(what, "destroyed-spin")) {
    model_pthread_spin_destroy(&spin);
    model_pthread_spin_lock(&spin);
  }
  if (!strcmp(what, "detach-twice")) {
    model_pthread_detach(thread);
    model_pthread_detach(thread);
  }
}

int main(int argument_count, char **arguments) {
  static void *(*const exclusive[])(void *) = {use_mutex,  use_recursive_mutex, use_checking_mutex, use_spin_lock,
                                               use_rwlock, use_semaphore,       use_condition};
  if (argument_count > 1) {
    misuse(arguments[1]);
    printf("no violation\n");
    return 0;
  }
  model_pthread_spin_init(&spin, 0);
  model_sem_init(&semaphore, 0, 1);
  for (unsigned i = 0; i < sizeof exclusive / sizeof exclusive[0]; i++) {
    counter = 0;
    run_all(exclusive[i]);
    CHECK(counter == workers * turns);
  }
  counter = 0;
  model_pthread_barrier_init(&barrier, 0, workers);
  run_all(use_barrier);
  CHECK(serials == turns);
  counter = 0;
  test_exact_signals();
  counter = 0;
  model_pthread_key_create(&key, destroy);
  run_all(use_thread_data);
  CHECK(destroyed == 2 * workers);
  CHECK(cleaned == 2 * workers);
  test_robust_mutex();
  test_attributes();
  test_thread_attributes();
  CHECK(model_pthread_join(model_pthread_self(), 0) == EDEADLK);
  printf("as expected\n");
  return 0;
}

/* Signals. Sets of signals and the masks of threads are kept as POSIX says, and so are the actions of a process; but no
   signal ever comes, so that handlers are never called: `Code.limits` says so where there are any. */

static unsigned long long __lazuli_get_signals(const unsigned long *words) {
  return sizeof(long) == 8 ? words[0] : words[0] | (unsigned long long)words[1] << 32;
}

static void __lazuli_set_signals(unsigned long *words, unsigned long long signals) {
  words[0] = (unsigned long)signals;
  if (sizeof(long) == 4) words[1] = (unsigned long)(signals >> 32);
}

int sigemptyset(sigset_t *set) {
  __lazuli_set_signals((unsigned long *)set, 0);
  return 0;
}

int sigfillset(sigset_t *set) {
  __lazuli_set_signals((unsigned long *)set, ~0ULL);
  return 0;
}

int sigaddset(sigset_t *set, int number) {
  if (number < 1 || number > 64) return -1;
  unsigned long *words = (unsigned long *)set;
  __lazuli_set_signals(words, __lazuli_get_signals(words) | 1ULL << (number - 1));
  return 0;
}

int sigdelset(sigset_t *set, int number) {
  if (number < 1 || number > 64) return -1;
  unsigned long *words = (unsigned long *)set;
  __lazuli_set_signals(words, __lazuli_get_signals(words) & ~(1ULL << (number - 1)));
  return 0;
}

int sigismember(const sigset_t *set, int number) {
  if (number < 1 || number > 64) return -1;
  return __lazuli_get_signals((const unsigned long *)set) >> (number - 1) & 1;
}

static _Thread_local unsigned long long __lazuli_blocked_signals;

/* A new thread has the mask of its creator, which may be any here until it asks or sets it. */
static _Thread_local int __lazuli_knows_blocked_signals;

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  if (__lazuli_self() != 0 && !__lazuli_knows_blocked_signals) {
    __lazuli_blocked_signals = __lazuli_nondet_ulonglong();
    __lazuli_knows_blocked_signals = 1;
  }
  unsigned long long before = __lazuli_blocked_signals;
  if (set) {
    unsigned long long given = __lazuli_get_signals((const unsigned long *)set);
    if (how == __LAZULI_SIG_BLOCK) __lazuli_blocked_signals = before | given;
    else if (how == __LAZULI_SIG_UNBLOCK) __lazuli_blocked_signals = before & ~given;
    else if (how == __LAZULI_SIG_SETMASK) __lazuli_blocked_signals = given;
    else return __LAZULI_EINVAL;
  }
  if (old) __lazuli_set_signals((unsigned long *)old, before);
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  return pthread_sigmask(how, set, old) ? -1 : 0;
}

static struct sigaction __lazuli_signal_actions[65];

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  if (number < 1 || number > 64) return -1;
  __lazuli_atomic_begin();
  if (old) *old = __lazuli_signal_actions[number];
  if (action) __lazuli_signal_actions[number] = *action;
  __lazuli_atomic_end();
  return 0;
}

static void (*__lazuli_signal_handlers[65])(int);

void (*signal(int number, void (*handler)(int)))(int) {
  if (number < 1 || number > 64) return (void (*)(int))-1;
  __lazuli_atomic_begin();
  void (*before)(int) = __lazuli_signal_handlers[number];
  __lazuli_signal_handlers[number] = handler;
  __lazuli_atomic_end();
  return before;
}

/* Facts about the machine: those of x86, and otherwise any that make sense. */

int getpagesize(void) {
  return 4096;
}

long sysconf(int name) {
  if (name == __LAZULI_SC_PAGESIZE) return 4096;
  long value = __lazuli_nondet_long();
  if (name == __LAZULI_SC_NPROCESSORS_CONF || name == __LAZULI_SC_NPROCESSORS_ONLN) __lazuli_assume(value >= 1);
  return value;
}

__attribute__((weak)) int overridden(void) { return 1; }
__attribute__((weak)) int kept(void) { return 2; }
inline int both(void) { return 3; }
int use_both(void) { return both(); }
__attribute__((weak)) void hook(void);
int run_hook(void) {
  if (!hook) return 0;
  hook();
  return 1;
}

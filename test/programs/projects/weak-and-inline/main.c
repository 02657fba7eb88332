// lazuli: expect safe; unwind 1; rounds 1; LP64
#include <assert.h>
int overridden(void) { return 10; }
int kept(void);
int both(void) { return 3; }
int use_both(void);
int run_hook(void);
static int started;
__attribute__((constructor)) static void start(void) { started = 1; }
int main(void) {
  assert(started && overridden() == 10 && kept() == 2);
  assert(both() == 3 && use_both() == 3);
  assert(run_hook() == 0);
  return 0;
}

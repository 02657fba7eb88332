// lazuli: expect safe; unwind 1; rounds 1
// A call for effects through a pointer that may denote functions with results of several widths.
#include <assert.h>
int x;
static int narrow(void *p) { x = 1; return p != 0; }
static long long wide(void *p) { x = 2; return p == 0; }
static void *pointer(void *p) { x = 3; return p; }
int nondet_int(void);
int main(void) {
  int n = nondet_int();
  void (*call)(void *) = n == 0 ? (void (*)(void *))narrow : n == 1 ? (void (*)(void *))wide : (void (*)(void *))pointer;
  call(0);
  assert(x >= 1 && x <= 3);
  return 0;
}

// lazuli: expect unknown: unsupported: 'set' is defined nowhere, and it is given what it may change
#include <assert.h>

int x;
extern void set(int *p);

int main(void) {
  set(&x);
  assert(x == 0);
  return 0;
}

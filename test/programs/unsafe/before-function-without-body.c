// lazuli: expect unsafe; unwind 1; rounds 1
// What happens before a function that is defined nowhere counts.
#include <assert.h>

int x;
extern void set(int *p);

int main(void) {
  assert(x == 1);
  set(&x);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 1
// A jump passes by a declaration and the first assignment: the variable holds anything.
#include <assert.h>
static int get(int jumps) {
  if (jumps) goto inside;
  {
    int x;
    x = 5;
  inside:
    return x;
  }
}
int main(void) {
  assert(get(0) == 5);
  assert(get(1) == 5);
  return 0;
}

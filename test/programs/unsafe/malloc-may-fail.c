// lazuli: expect unsafe; unwind 1; rounds 1; define __LAZULI_MALLOC_MAY_FAIL=1
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  assert(p);
  *p = 1;
  free(p);
  return 0;
}

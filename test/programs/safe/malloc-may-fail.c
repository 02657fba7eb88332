// lazuli: expect safe; unwind 1; rounds 1; define __LAZULI_MALLOC_MAY_FAIL=1
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (p) *p = 1;
  free(p);
  return 0;
}

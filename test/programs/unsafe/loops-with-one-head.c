// lazuli: expect unsafe; unwind 3; rounds 1
// Both loops begin at the same place; what the inner one leaves as it was, the outer one does not.
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
unsigned char byte;

int main(void) {
  int n = 2 + __VERIFIER_nondet_bool(), i;
  for (i = 0; i < n; i++) {
  again:
    if (byte > 1) goto again;
  }
  assert(i != 3);
}

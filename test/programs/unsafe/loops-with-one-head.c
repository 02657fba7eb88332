// lazuli: expect unsafe; unwind 3; rounds 1
// Both loops begin at the same place; what the inner one leaves as it was, the outer one does not.
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
unsigned char byte;

int main(void) {
  int n = __VERIFIER_nondet_uchar(), i;
  for (i = 0; i < n; i++) {
  again:
    if (byte > 1) goto again;
  }
  assert(i != 3);
}

// lazuli: expect unsafe; unwind 1; rounds 1
// The header of assert is forgotten: verifiers take it as what it is meant to be.
int x;
int main(void) {
  x = 1;
  assert(x == 0);
  return 0;
}

// lazuli: expect unsafe; unwind 1; rounds 1
//
// A pointer to a variable of a block that has ended, without any thread.

int main(void) {
  int *pointer;
  {
    int x = 1;
    pointer = &x;
  }
  return *pointer;
}

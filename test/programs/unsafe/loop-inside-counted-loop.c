// lazuli: expect unsafe; unwind 1; rounds 1; LP64
// Each time the inner loop is entered, it finds things as it left them; the outer loop goes on all the same.
#include <assert.h>

int main(void) {
  int i;
  for (i = 0; i < 3; i++) {
    int n = 1;
    do {
    } while (--n > 0);
  }
  assert(i != 3);
}

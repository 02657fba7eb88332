// lazuli: expect unsafe; unwind 2; rounds 1
// A variable without an initializer holds anything each time that its declaration is reached.
#include <assert.h>
struct pair { int first, second; };
static int sum(int sets) {
  struct pair pair;
  int array[2];
  if (sets) {
    pair.first = 1;
    pair.second = 2;
    array[0] = array[1] = 3;
  }
  return pair.first + pair.second + array[1];
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    int result = sum(i == 0);
    assert(result == 6);
  }
  return 0;
}

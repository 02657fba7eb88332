// lazuli: expect safe; unwind 1; rounds 1
// Other names of functions and objects, weak ones, and one that nothing defines.
#include <assert.h>

static int counter;
extern int count __attribute__((alias("counter")));

static int add_one(int value) {
  return value + 1;
}

int increment(int value) __attribute__((weak, alias("add_one")));
int again(int value) __attribute__((alias("increment")));

int missing(void);
#pragma weak missing

int twice(int value) {
  return 2 * value;
}
#pragma weak doubled = twice
int doubled(int value);

int main(void) {
  counter = 3;
  assert(count == 3);
  count++;
  assert(counter == 4);
  assert(increment(1) == 2 && again(2) == 3 && doubled(4) == 8);
  assert(&count == &counter && doubled == twice);
  if (missing) assert(missing() == 1);
  return 0;
}

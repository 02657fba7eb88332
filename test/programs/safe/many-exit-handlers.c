// lazuli: expect safe; unwind 1; rounds 1
// C promises room for 32 handlers; there is more.
#include <assert.h>
#include <stdlib.h>

static int count;

static void increment(void) {
  count++;
}

static void look(void) {
  assert(count == 40);
}

int main(void) {
  atexit(look);
  for (int i = 0; i < 40; i++) atexit(increment);
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 1; LP64
// Tags, typedefs, enumerators and static names that mean something else in the other file.
#include <assert.h>
enum mode { ON, OFF };
struct item { char small; };
typedef int thing;
static int state = ON;
static int step(struct item *item) { return item->small + state; }
int other(void);
int main(void) {
  struct item item = { 4 };
  thing n = sizeof(struct item);
  assert(step(&item) == 4 && n == 1 && OFF == 1);
  assert(other() == 2 + 6 + 16);
  return 0;
}

// lazuli: expect safe; unwind 1; rounds 1
// What always has no lock is known when the program is compiled.
#include <assert.h>

_Static_assert(__atomic_always_lock_free(sizeof(int), 0), "an int is accessed by one instruction");

int main(void) {
  assert(__atomic_always_lock_free(1, 0) && __atomic_always_lock_free(8, 0));
  assert(!__atomic_always_lock_free(3, 0) && !__atomic_always_lock_free(16, 0));
  return 0;
}

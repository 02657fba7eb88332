// lazuli: expect safe; unwind 1; rounds 1; LP64
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(getpagesize() == 4096 && sysconf(_SC_PAGESIZE) == 4096);
  assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
  return 0;
}

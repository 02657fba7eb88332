// lazuli: expect unknown: unsupported: execl is not modelled
#include <assert.h>
#include <unistd.h>

int x;

int main(void) {
  execl("/bin/true", "true", (char *)0);
  assert(x == 0);
  return 0;
}

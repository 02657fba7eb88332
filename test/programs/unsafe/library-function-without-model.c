// lazuli: expect unsafe; unwind 1; rounds 1
// A library function that is not modelled fills what its pointers point to.
#include <assert.h>
#include <sys/stat.h>

int main(void) {
  struct stat status;
  status.st_size = 3;
  status.st_mode = 1;
  if (fstat(0, &status) == 0) assert(status.st_size == 3);
  else assert(status.st_mode == 1 || status.st_mode != 1);
  return 0;
}

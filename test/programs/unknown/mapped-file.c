// lazuli: expect unknown: unsupported: mmap of a file is not modelled
#include <assert.h>
#include <sys/mman.h>

int main(void) {
  const char *text = mmap(0, 100, PROT_READ, MAP_PRIVATE, 3, 0);
  assert(text == MAP_FAILED || text[0] == 'a');
  return 0;
}

/* Anonymous memory that is mapped: whole pages of zeros, which can be read and written until they are unmapped as a
   whole. Files, fixed addresses, parts of mappings and protected pages are left out. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_PAGE 4096
#define __LAZULI_MAP_FIXED 0x10
#define __LAZULI_MAP_ANONYMOUS 0x20
#define __LAZULI_PROT_READ_WRITE 3

static __SIZE_TYPE__ __lazuli_whole_pages(__SIZE_TYPE__ size) {
  return (size + __LAZULI_PAGE - 1) / __LAZULI_PAGE * __LAZULI_PAGE;
}

void *mmap(void *address, __SIZE_TYPE__ size, int protection, int flags, int file, off_t offset) {
  (void)address;
  (void)file;
  (void)offset;
  if (!(flags & __LAZULI_MAP_ANONYMOUS)) __lazuli_unsupported("mmap of a file is not modelled");
  if (flags & __LAZULI_MAP_FIXED) __lazuli_unsupported("mmap at a fixed address is not modelled");
  if ((protection & __LAZULI_PROT_READ_WRITE) != __LAZULI_PROT_READ_WRITE) {
    __lazuli_unsupported("mmap of memory that cannot be read and written is not modelled");
  }
  if (size == 0) {
    *__errno_location() = __LAZULI_EINVAL;
    return (void *)-1;
  }
  if (__LAZULI_MALLOC_MAY_FAIL && __lazuli_nondet_bool()) {
    *__errno_location() = __LAZULI_ENOMEM;
    return (void *)-1;
  }
  return __lazuli_allocate(__lazuli_whole_pages(size), 1);
}

int munmap(void *address, __SIZE_TYPE__ size) {
  if (size == 0) {
    *__errno_location() = __LAZULI_EINVAL;
    return -1;
  }
  if (__lazuli_whole_pages(size) != __lazuli_object_size(address)) {
    __lazuli_unsupported("munmap of a part of a mapping is not modelled");
  }
  __lazuli_free(address);
  return 0;
}

int mprotect(void *address, __SIZE_TYPE__ size, int protection) {
  (void)address;
  (void)size;
  if ((protection & __LAZULI_PROT_READ_WRITE) != __LAZULI_PROT_READ_WRITE) {
    __lazuli_unsupported("mprotect is not modelled");
  }
  return 0;
}

void *mremap(void *address, __SIZE_TYPE__ old_size, __SIZE_TYPE__ new_size, int flags, ...) {
  (void)address;
  (void)old_size;
  (void)new_size;
  (void)flags;
  __lazuli_unsupported("mremap is not modelled");
  return 0;
}

/* MADV_DONTNEED (4) and MADV_FREE (8) drop the contents; other advice changes nothing. */
int madvise(void *address, __SIZE_TYPE__ size, int advice) {
  (void)address;
  (void)size;
  if (advice == 4 || advice == 8) __lazuli_unsupported("madvise that drops memory is not modelled");
  return 0;
}

int msync(void *address, __SIZE_TYPE__ size, int flags) {
  (void)address;
  (void)size;
  (void)flags;
  return 0;
}

int mlock(const void *address, __SIZE_TYPE__ size) {
  (void)address;
  (void)size;
  return __lazuli_nondet_bool() ? -1 : 0;
}

int munlock(const void *address, __SIZE_TYPE__ size) {
  (void)address;
  (void)size;
  return __lazuli_nondet_bool() ? -1 : 0;
}

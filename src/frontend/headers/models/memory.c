/* Allocation and functions on memory. Allocation never fails unless __LAZULI_MALLOC_MAY_FAIL is set. Bytes are copied
   one by one, in loops that run as often as the size says. */
#include "constants.h"
#include "primitives.h"

static void *__lazuli_try_allocate(__SIZE_TYPE__ size, int zeroed) {
  if (__LAZULI_MALLOC_MAY_FAIL && __lazuli_nondet_bool()) {
    *__errno_location() = __LAZULI_ENOMEM;
    return (void *)0;
  }
  return __lazuli_allocate(size, zeroed);
}

void *malloc(__SIZE_TYPE__ size) {
  return __lazuli_try_allocate(size, 0);
}

void *calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {
  if (size != 0 && count > (__SIZE_TYPE__)-1 / size) {
    *__errno_location() = __LAZULI_ENOMEM;
    return (void *)0;
  }
  return __lazuli_try_allocate(count * size, 1);
}

void free(void *memory) {
  if (memory) __lazuli_free(memory);
}

/* The memory always moves, which is what a careful program has to expect. */
void *realloc(void *memory, __SIZE_TYPE__ size) {
  unsigned char *to = __lazuli_try_allocate(size, 0);
  const unsigned char *from = memory;
  __SIZE_TYPE__ common;
  if (!to || !from) return to;
  common = __lazuli_object_size(memory);
  if (size < common) common = size;
  for (__SIZE_TYPE__ i = 0; i < common; i++) to[i] = from[i];
  __lazuli_free(memory);
  return to;
}

void *reallocarray(void *memory, __SIZE_TYPE__ count, __SIZE_TYPE__ size) {
  if (size != 0 && count > (__SIZE_TYPE__)-1 / size) {
    *__errno_location() = __LAZULI_ENOMEM;
    return (void *)0;
  }
  return realloc(memory, count * size);
}

/* Addresses have no numbers here, so every allocation is aligned as asked for. */
void *aligned_alloc(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size) {
  (void)alignment;
  return __lazuli_try_allocate(size, 0);
}

void *memalign(__SIZE_TYPE__ alignment, __SIZE_TYPE__ size) {
  (void)alignment;
  return __lazuli_try_allocate(size, 0);
}

void *valloc(__SIZE_TYPE__ size) {
  return __lazuli_try_allocate(size, 0);
}

int posix_memalign(void **result, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size) {
  void *memory;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment % sizeof(void *) != 0) return __LAZULI_EINVAL;
  if (__LAZULI_MALLOC_MAY_FAIL && __lazuli_nondet_bool()) return __LAZULI_ENOMEM;
  memory = __lazuli_allocate(size, 0);
  *result = memory;
  return 0;
}

__SIZE_TYPE__ malloc_usable_size(void *memory) {
  return memory ? __lazuli_object_size(memory) : 0;
}

void *memcpy(void *restrict to, const void *restrict from, __SIZE_TYPE__ size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  for (__SIZE_TYPE__ i = 0; i < size; i++) target[i] = source[i];
  return to;
}

void *mempcpy(void *restrict to, const void *restrict from, __SIZE_TYPE__ size) {
  return (char *)memcpy(to, from, size) + size;
}

/* Through a copy of all bytes would be simplest; through the right direction needs no memory. Pointers into different
   objects never compare as overlapping, so either direction does for them. */
void *memmove(void *to, const void *from, __SIZE_TYPE__ size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  int forward = 1;
  for (__SIZE_TYPE__ i = 1; i < size; i++) {
    if (target == source + i) forward = 0;
  }
  if (forward) {
    for (__SIZE_TYPE__ i = 0; i < size; i++) target[i] = source[i];
  } else {
    for (__SIZE_TYPE__ i = size; i > 0; i--) target[i - 1] = source[i - 1];
  }
  return to;
}

void bcopy(const void *from, void *to, __SIZE_TYPE__ size) {
  memmove(to, from, size);
}

void *memccpy(void *restrict to, const void *restrict from, int character, __SIZE_TYPE__ size) {
  unsigned char *target = to;
  const unsigned char *source = from;
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    target[i] = source[i];
    if (source[i] == (unsigned char)character) return target + i + 1;
  }
  return (void *)0;
}

void *memset(void *memory, int character, __SIZE_TYPE__ size) {
  unsigned char *target = memory;
  for (__SIZE_TYPE__ i = 0; i < size; i++) target[i] = (unsigned char)character;
  return memory;
}

void bzero(void *memory, __SIZE_TYPE__ size) {
  memset(memory, 0, size);
}

void explicit_bzero(void *memory, __SIZE_TYPE__ size) {
  memset(memory, 0, size);
}

int memcmp(const void *left, const void *right, __SIZE_TYPE__ size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

int bcmp(const void *left, const void *right, __SIZE_TYPE__ size) {
  return memcmp(left, right, size);
}

void *memchr(const void *memory, int character, __SIZE_TYPE__ size) {
  const unsigned char *bytes = memory;
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    if (bytes[i] == (unsigned char)character) return (void *)(bytes + i);
  }
  return (void *)0;
}

void *memrchr(const void *memory, int character, __SIZE_TYPE__ size) {
  const unsigned char *bytes = memory;
  for (__SIZE_TYPE__ i = size; i > 0; i--) {
    if (bytes[i - 1] == (unsigned char)character) return (void *)(bytes + i - 1);
  }
  return (void *)0;
}

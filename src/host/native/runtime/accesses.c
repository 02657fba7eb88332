/* The hooks: what gcc calls before each access to memory when it compiles with -fsanitize=thread, and instead of each
   atomic operation. An access waits for its turn; then it is shown to the library that is linked: AddressSanitizer's, or
   ThreadSanitizer's own (LAZULI_TSAN), whose functions of the same names these take the place of. */
#include "runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *__asan_region_is_poisoned(void *, size_t) __attribute__((weak));
void __asan_report_error(void *, void *, void *, void *, int, size_t, unsigned) __attribute__((weak));

static void access_memory(char kind, void *address, size_t size, void *from, void *frame) {
  if (self < 0 || is_inside) return;
  int own = is_own(address);
  const struct site *site = find_site(from);
  pass_object(own ? 'o' : kind, own ? 0 : name_at(address), site);
  require_alive(address, frame, site);
  /* What lies at the very beginning is never there: the processor says so better. */
  int is_known = !own && (uintptr_t)address > 65535;
  if (is_known && __asan_region_is_poisoned && __asan_region_is_poisoned(address, size)) {
    tell("stopped by AddressSanitizer");
    __asan_report_error(from, frame, frame, address, kind == 'w', size, 0);
    abort();
  }
}

#define HERE __builtin_return_address(0), __builtin_frame_address(0)
#define FROM __builtin_return_address(0)

#ifdef LAZULI_TSAN
void __tsan_read_range_pc(void *, size_t, void *);
void __tsan_write_range_pc(void *, size_t, void *);
#define SHOW(kind, address, size) __tsan_##kind##_range_pc(address, size, FROM)
#else
#define SHOW(kind, address, size) (void)0
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
#endif

#define PLAIN(name, size)                                                                                    \
  void __tsan_##name##read##size(void *address) {                                                            \
    access_memory('r', address, size, HERE);                                                                 \
    SHOW(read, address, size);                                                                               \
  }                                                                                                          \
  void __tsan_##name##write##size(void *address) {                                                           \
    access_memory('w', address, size, HERE);                                                                 \
    SHOW(write, address, size);                                                                              \
  }
#define SIZES(name) PLAIN(name, 1) PLAIN(name, 2) PLAIN(name, 4) PLAIN(name, 8) PLAIN(name, 16)
SIZES()
SIZES(unaligned_)
SIZES(volatile_)
void __tsan_read_range(void *address, size_t size) {
  access_memory('r', address, size, HERE);
  SHOW(read, address, size);
}
void __tsan_write_range(void *address, size_t size) {
  access_memory('w', address, size, HERE);
  SHOW(write, address, size);
}
void __tsan_vptr_update(void *address, void *value) { (void)address, (void)value; }

/* gcc announces the entry and the end of every function. A function that means an error by being called may do nothing
   else; one whose name says that it is one step is one. */
void __cyg_profile_func_enter(void *function, void *caller) {
  (void)caller;
  note_frame(__builtin_frame_address(0));
  if (is_error_function(function)) lazuli_error_function("reach_error");
  if (is_section_function(function)) enter_section();
}
void __cyg_profile_func_exit(void *function, void *caller) {
  (void)caller;
  if (is_section_function(function)) leave_section();
}

/* ---- atomic operations. Without ThreadSanitizer's library they are done here. ---- */

#ifdef LAZULI_TSAN
#define DO(result, name, types, arguments, body)                                                             \
  static result(*real) types;                                                                                \
  if (!real) real = (result(*) types)dlsym(RTLD_NEXT, name);                                                 \
  return real arguments;
#else
#define DO(result, name, types, arguments, body) body
#endif
#define TEXT(bits, operation) "__tsan_atomic" #bits "_" #operation
#define UNUSED (void)order

/* Read and written in one step: the plan has both. */
static void access_both(void *address, size_t size, void *from, void *frame) {
  access_memory('r', address, size, from, frame);
  access_memory('w', address, size, from, frame);
}

#define CHANGE(bits, type, name, expression)                                                                 \
  type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order) {                             \
    UNUSED, access_both((void *)p, sizeof *p, HERE);                                                         \
    DO(type, TEXT(bits, fetch_##name), (volatile type *, type, int), (p, v, order), CHANGED(type, expression)) \
  }
#define COMPARE(bits, type, strength)                                                                        \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *p, type *e, type v, int a, int b) {   \
    (void)a, (void)b, access_memory('r', (void *)p, sizeof *p, HERE);                                        \
    if (*p == *e) access_memory('w', (void *)p, sizeof *p, HERE);                                            \
    DO(int, TEXT(bits, compare_exchange_##strength), (volatile type *, type *, type, int, int), (p, e, v, a, b), \
       COMPARED(type))                                                                                       \
  }
#define ATOMIC(bits, type)                                                                                   \
  type __tsan_atomic##bits##_load(const volatile type *p, int order) {                                       \
    UNUSED, access_memory('r', (void *)p, sizeof *p, HERE);                                                  \
    DO(type, TEXT(bits, load), (const volatile type *, int), (p, order), LOADED(type))                       \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {                                    \
    UNUSED, access_memory('w', (void *)p, sizeof *p, HERE);                                                  \
    DO(void, TEXT(bits, store), (volatile type *, type, int), (p, v, order), STORED(type))                   \
  }                                                                                                          \
  type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) {                                 \
    UNUSED, access_both((void *)p, sizeof *p, HERE);                                                         \
    DO(type, TEXT(bits, exchange), (volatile type *, type, int), (p, v, order), CHANGED(type, v))            \
  }                                                                                                          \
  CHANGE(bits, type, add, old + v)                                                                           \
  CHANGE(bits, type, sub, old - v)                                                                           \
  CHANGE(bits, type, and, old & v)                                                                           \
  CHANGE(bits, type, or, old | v)                                                                            \
  CHANGE(bits, type, xor, old ^ v)                                                                           \
  CHANGE(bits, type, nand, ~(old & v))                                                                       \
  COMPARE(bits, type, strong)                                                                                \
  COMPARE(bits, type, weak)                                                                                  \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int a, int b) {          \
    (void)a, (void)b, access_memory('r', (void *)p, sizeof *p, HERE);                                        \
    if (*p == e) access_memory('w', (void *)p, sizeof *p, HERE);                                             \
    DO(type, TEXT(bits, compare_exchange_val), (volatile type *, type, type, int, int), (p, e, v, a, b),     \
       COMPARED_VALUE(type))                                                                                 \
  }

#define LOADED(type) return __atomic_load_n(p, __ATOMIC_SEQ_CST);
#define STORED(type) __atomic_store_n(p, v, __ATOMIC_SEQ_CST);
#define CHANGED(type, expression)                                                                            \
  type old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                           \
  while (!__atomic_compare_exchange_n(p, &old, expression, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));          \
  return old;
#define COMPARED(type) return __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#define COMPARED_VALUE(type)                                                                                 \
  __atomic_compare_exchange_n(p, &e, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                              \
  return e;
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long long)

#ifdef __SIZEOF_INT128__
/* Not every processor has them: under the lock of the runtime. */
#undef LOADED
#undef STORED
#undef CHANGED
#undef COMPARED
#undef COMPARED_VALUE
#define LOADED(type)                                                                                         \
  lock_runtime();                                                                                            \
  type old = *p;                                                                                             \
  unlock_runtime();                                                                                          \
  return old;
#define STORED(type)                                                                                         \
  lock_runtime();                                                                                            \
  *p = v;                                                                                                    \
  unlock_runtime();
#define CHANGED(type, expression)                                                                            \
  lock_runtime();                                                                                            \
  type old = *p;                                                                                             \
  *p = expression;                                                                                           \
  unlock_runtime();                                                                                          \
  return old;
#define COMPARED(type)                                                                                       \
  lock_runtime();                                                                                            \
  type old = *p, wanted = *e;                                                                                \
  if (old == wanted) *p = v;                                                                                 \
  else *e = old;                                                                                             \
  unlock_runtime();                                                                                          \
  return old == wanted;
#define COMPARED_VALUE(type)                                                                                 \
  lock_runtime();                                                                                            \
  type old = *p;                                                                                             \
  if (old == e) *p = v;                                                                                      \
  unlock_runtime();                                                                                          \
  return old;
typedef unsigned __int128 wide;
ATOMIC(128, wide)
#endif

void __tsan_atomic_thread_fence(int order) {
  UNUSED;
  DO(void, "__tsan_atomic_thread_fence", (int), (order), __atomic_thread_fence(__ATOMIC_SEQ_CST);)
}
void __tsan_atomic_signal_fence(int order) { UNUSED; }

// The GNU C of real headers.
__extension__ struct with_empty { int zero[0]; };
static inline __attribute__((always_inline)) int attributed(int x __attribute__((unused))) __attribute__((pure));
extern int printf(const char *__restrict format, ...) __attribute__((__nothrow__, __format__(__printf__, 1, 2), nonnull));
static __inline int attributed(int x) { return x; }
typedef int word __attribute__((mode(SI))), vector __attribute__((vector_size(sizeof(int) * 4)));
asm(".globl something");
__asm__ ("nop" "\n\t" "nop");
int builtins(__builtin_va_list ap, int x) {
  int a = __builtin_offsetof(struct { int m[3]; struct { int k; } s; }, s.k);
  int b = __builtin_va_arg(ap, int *) != 0;
  int c = __builtin_types_compatible_p(int, typeof(x));
  int d = __builtin_choose_expr(1, a, "b");
  int e = __builtin_expect(!!(x), 0) + __builtin_constant_p(x);
  __real__ 1.0i;
  return ({ int y = x; y > 0 ? y : -y; }) + _Generic(x, int: 1, const char *: 2, default: 3) + __extension__ 2;
}
void assembly(int a, int b) {
  asm("nop");
  __asm__ __volatile__("mfence" ::: "memory");
  asm("add %1, %0" : "=r"(a), [b] "+m"(b) : "r"(a), [n] "i"(1 + 2) : "cc", "memory");
  asm goto("jmp %l0" : : : : done);
done:
  return;
}
void control(int x) {
  __label__ local, other;
  void *targets[] = { &&local, &&other };
  goto *targets[x];
local: __attribute__((unused));
  int nested(int y) { return x + y; }
other:
  switch (x) {
  case 1:
    x = nested(1);
    __attribute__((fallthrough));
  case 'a' ... 'z':
    break;
  }
}
[[noreturn]] void standard [[gnu::cold]] (int x, int y [[maybe_unused]]);
_Static_assert(1, "with" " message");
_Static_assert(sizeof(int));
;
int after_stray_semicolon;

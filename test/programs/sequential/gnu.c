// GNU extensions: statement expressions, typeof, local labels, builtins, 128-bit integers, ranges, attributes, asm.
#include <stdio.h>
#include <stddef.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define FIND(array, n, wanted)                                                                                         \
  ({                                                                                                                   \
    __label__ found;                                                                                                   \
    int i_;                                                                                                            \
    for (i_ = 0; i_ < (n); i_++)                                                                                       \
      if ((array)[i_] == (wanted)) goto found;                                                                         \
    i_ = -1;                                                                                                           \
  found:                                                                                                               \
    i_;                                                                                                                \
  })
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))

struct inner { int i; };
struct outer { char pad[5]; struct inner in; };

static int calls;
static int next(void) { return ++calls; }
static inline __attribute__((always_inline, unused)) int twice(int x) { return x * 2; }
static int unused_function(void) __attribute__((unused));
static int unused_function(void) { return 0; }
static __thread int per_thread = 3;
static _Thread_local int other_thread = 4;

int main(void) {
  printf("%d %g\n", MAX(3, 2), MAX(1, 2.5));
  int values[] = { 4, 8, 15, 16 };
  printf("%d %d\n", FIND(values, 4, 15), FIND(values, 4, 5));
  struct outer o = { "pad", { 7 } };
  struct inner *in = &o.in;
  printf("%d %s\n", container_of(in, struct outer, in) == &o, container_of(in, struct outer, in)->pad);
  __typeof__(values[0]) *p = values;
  __typeof__(int[3]) three = { 1, 2, 3 };
  __auto_type copy = three[1];
  printf("%d %d %d\n", *p, three[2], copy);
  printf("%d ", next() ?: 5);
  printf("%d\n", calls);
  printf("%d %d\n", __builtin_expect(calls == 1, 1) != 0, __builtin_constant_p(3));
  printf("%d %d %d\n", __builtin_popcount(255), __builtin_clz(1), __builtin_ctz(8));
  printf("%d\n", __builtin_types_compatible_p(int, signed int));
  printf("%d\n", __builtin_choose_expr(1, 10, "no"));
  printf("%d\n", _Generic(1.0f, int: 1, float: 2, default: 3));
  int overflow, flag = __builtin_add_overflow(2147483647, 1, &overflow);
  printf("%d %d\n", flag, overflow);
#ifdef __SIZEOF_INT128__
  __int128 big = (__int128)1 << 100;
  unsigned __int128 ubig = ~(unsigned __int128)0;
  printf("%llx %llx %d\n", (unsigned long long)(big >> 64), (unsigned long long)(ubig >> 70), big > 5);
  printf("%d\n", (int)sizeof big);
#endif
  int n = 3;
  __asm__ volatile("" : "+r"(n) : : "memory");
  __asm__("" ::: "memory");
  printf("%d %d %d %d\n", n, per_thread, other_thread, twice(n));
  int r = ({ int t = 0; for (int i = 0; i < 4; i++) t += i; t; }) * 2;
  printf("%d\n", r);
  int x = 5, y = 6;
  x ^= y, y ^= x, x ^= y;
  printf("%d %d\n", x, y);
  printf("%s\n", (char[]){ 'o', 'k', 0 });
  _Static_assert(sizeof(int) == 4, "int has 4 bytes");
  struct { int a; int b[]; } *flexible = __builtin_alloca(sizeof *flexible + 2 * sizeof(int));
  flexible->b[1] = 4;
  printf("%d\n", flexible->b[1]);
  int counter = 0;
  __sync_fetch_and_add(&counter, 5);
  __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
  printf("%d ", __sync_bool_compare_and_swap(&counter, 6, 9));
  printf("%d\n", counter);
  long expected = 3;
  union { long l; char c[sizeof(long)]; } u = { expected };
  printf("%d\n", u.c[0]);
  if (calls > 100) __builtin_unreachable();
  return 0;
}

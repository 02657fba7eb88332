// Compiler builtins: atomics in all their forms, bits, checked arithmetic, variable arguments, alloca.
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

struct pair { int a; long b; };
struct tiny { short a, b; };
static int word = 10;
static long wide = 5;
static _Atomic int atom = 3;
static _Atomic(struct tiny) shared;
static int array[4] = { 1, 2, 3, 4 };
static atomic_flag flag = ATOMIC_FLAG_INIT;
static __thread int own = 7;

#define SHOW(x) printf("%s = %ld\n", #x, (long)(x))

static long total(int count, ...) {
  va_list list, copy;
  long sum = 0;
  va_start(list, count);
  va_copy(copy, list);
  for (int i = 0; i < count; i++) sum += i % 2 ? va_arg(list, long) : va_arg(list, int);
  sum = sum * 10 + va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return sum;
}

static double mixed(const char *kinds, ...) {
  va_list list;
  double sum = 0;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
      case 'd': sum += va_arg(list, double); break;
      case 'c': sum += va_arg(list, int); break;
      case 'p': sum += *va_arg(list, int *); break;
      case 's': { struct pair p = va_arg(list, struct pair); sum += p.a * 100 + p.b; break; }
    }
  }
  va_end(list);
  return sum;
}

static int reversed(int n) {
  char *text = __builtin_alloca(n + 1);
  for (int i = 0; i < n; i++) text[i] = 'a' + n - i;
  text[n] = 0;
  return text[0] * 1000 + text[n - 1];
}

int main(void) {
  SHOW(__sync_fetch_and_add(&word, 3));
  SHOW(__sync_add_and_fetch(&word, 2));
  SHOW(__sync_fetch_and_sub(&word, 1));
  SHOW(__sync_fetch_and_or(&word, 32));
  SHOW(__sync_fetch_and_nand(&word, 12));
  SHOW(__sync_bool_compare_and_swap(&word, word, 4));
  SHOW(__sync_val_compare_and_swap(&word, 5, 6));
  SHOW(__sync_lock_test_and_set(&word, 9));
  SHOW(word);
  __sync_lock_release(&word);
  SHOW(word);
  long expected = 4, desired = 8, found;
  SHOW(__atomic_compare_exchange_n(&wide, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  SHOW(expected);
  SHOW(__atomic_compare_exchange(&wide, &expected, &desired, 0, 5, 5));
  SHOW(wide);
  __atomic_exchange(&wide, &expected, &found, __ATOMIC_SEQ_CST);
  SHOW(found);
  SHOW(__atomic_load_n(&wide, 5));
  SHOW(__atomic_fetch_xor(&wide, 3, 5));
  __atomic_load(&wide, &found, 5);
  __atomic_store_n(&wide, found + 1, 5);
  SHOW(found);
  SHOW(wide);
  atom += 4;
  SHOW(atom++);
  SHOW(--atom);
  SHOW(atomic_fetch_add(&atom, 2));
  SHOW(atomic_load(&atom));
  struct tiny p = { 1, 2 };
  shared = p;
  struct tiny q = shared;
  SHOW(q.a);
  SHOW(q.b);
  int *_Atomic cursor = array;
  cursor++;
  cursor += 2;
  SHOW(*cursor);
  SHOW(atomic_flag_test_and_set(&flag));
  SHOW(atomic_flag_test_and_set(&flag));
  SHOW(__builtin_popcount(0xf0f1));
  SHOW(__builtin_clz(1000));
  SHOW(__builtin_ctzll(1ull << 40));
  SHOW(__builtin_ffs(24));
  SHOW(__builtin_bswap32(0x12345678));
  SHOW(__builtin_bswap64(0x0102030405060708));
  SHOW(__builtin_parity(7));
  int sum;
  unsigned char small;
  SHOW(__builtin_add_overflow(2147483647, 1, &sum));
  SHOW(sum);
  SHOW(__builtin_mul_overflow(16, 16, &small));
  SHOW(small);
  SHOW(__builtin_sub_overflow(5u, 7u, &sum));
  SHOW(sum);
  SHOW(total(4, 1, 20L, 3, 40L));
  SHOW(mixed("dcps", 1.5, 'A', &array[2], (struct pair){ 2, 3 }) * 2);
  SHOW(reversed(5));
  SHOW(own += 2);
  if (__builtin_expect(word == 0, 1)) printf("released\n");
  return 0;
}

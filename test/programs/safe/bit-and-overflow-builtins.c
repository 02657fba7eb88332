// lazuli: expect safe; unwind 1; rounds 1; LP64
//
// Builtins of gcc about bits, overflow, floating point and sizes, some of which CBMC 5.12 takes for functions without a body.

#include <assert.h>
#include <immintrin.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  _Bool other = __VERIFIER_nondet_bool();
  unsigned long long wide = other ? 0x00f0000000000100ull : 0x1000ull;
  unsigned narrow = other ? 0x18 : 0;
  assert(__builtin_parityll(wide) == 1 && __builtin_parity(narrow) == 0);
  assert(__builtin_ctzll(wide) == (other ? 8 : 12));
  assert(__builtin_ffs((int)narrow) == (other ? 4 : 0) && __builtin_ffsl((long)wide) == (other ? 9 : 13));
  int sum;
  long product;
  unsigned difference;
  unsigned char cut;
  assert(!__builtin_sadd_overflow((int)narrow, 5, &sum) && sum == (other ? 29 : 5));
  assert(__builtin_usub_overflow(narrow, 25u, &difference) && difference == narrow - 25u);
  assert(__builtin_mul_overflow(wide, 1000000L, &product) == other);
  assert(__builtin_sub_overflow(narrow, 25, &cut) && cut == (other ? 255 : 231));
  assert(__builtin_isfinite((double)narrow) && !__builtin_isfinite(__builtin_inf()));
  void *unknown = other ? &sum : (void *)&product;
  assert(__builtin_object_size(unknown, 0) > 100 && __builtin_object_size(unknown, 2) == 0);
  _mm_pause();
  _mm_mfence();
  return 0;
}

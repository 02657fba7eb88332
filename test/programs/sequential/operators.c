// Every arithmetic, bitwise, comparison and logical operator, on every integer type, with the usual conversions between them.
#include <stdio.h>
#include <limits.h>

#define SHOW(e) printf("%s = %lld\n", #e, (long long)(e))
#define ALL(T)                                                                                                         \
  do {                                                                                                                 \
    T a = (T)100, b = (T)7, z = (T)-3;                                                                                 \
    printf(#T "\n");                                                                                                   \
    SHOW(a + b); SHOW(a - b); SHOW(a * b); SHOW(a / b); SHOW(a % b);                                                   \
    SHOW(a & b); SHOW(a | b); SHOW(a ^ b); SHOW(~a); SHOW(-b); SHOW(+b); SHOW(!a);                                     \
    SHOW(a << 2); SHOW(a >> 1); SHOW(a < b); SHOW(a > b); SHOW(a <= b); SHOW(a >= b);                                  \
    SHOW(a == b); SHOW(a != b); SHOW(a && b); SHOW(a || b); SHOW(z < 0); SHOW(z > 1u); SHOW(z + 1u > 0);               \
    SHOW(z * 1L < 0L); SHOW(z + 0ULL > 5); SHOW(sizeof(a + b)); SHOW(sizeof(a + 1L)); SHOW(sizeof(-a));                \
    a += b; SHOW(a); a -= 1; SHOW(a); a *= 2; SHOW(a); a /= 3; SHOW(a); a %= 50; SHOW(a);                              \
    a <<= 1; SHOW(a); a >>= 2; SHOW(a); a |= 33; SHOW(a); a &= 0x3f; SHOW(a); a ^= 5; SHOW(a);                         \
    SHOW(a++); SHOW(++a); SHOW(a--); SHOW(--a);                                                                        \
    a = (T)3; a += 2.75; SHOW(a); a *= 1.5; SHOW(a); a -= 0.5f; SHOW(a);                                               \
  } while (0)

int main(void) {
  ALL(signed char);
  ALL(unsigned char);
  ALL(short);
  ALL(unsigned short);
  ALL(int);
  ALL(unsigned int);
  ALL(long);
  ALL(unsigned long);
  ALL(long long);
  ALL(unsigned long long);
  unsigned char wrap = 250;
  wrap += 10;
  SHOW(wrap);
  unsigned u = 0;
  u--;
  SHOW(u);
  SHOW(INT_MIN);
  SHOW(INT_MAX);
  SHOW(LLONG_MIN);
  SHOW(LONG_MIN == -LONG_MAX - 1);
  SHOW(ULLONG_MAX == ~0ULL);
  SHOW(-1 < 0u);
  SHOW(-1L < 0u);
  SHOW((char)200 < 0);
  SHOW(1 << 3 + 1);
  SHOW((1 << 3) + 1);
  SHOW(10 - 3 - 2);
  SHOW(10 - (3 - 2));
  SHOW(2 * 3 % 4);
  SHOW(2 * (3 % 4));
  SHOW(- -5);
  SHOW(-(-5));
  SHOW(!!7);
  SHOW(~-1);
  SHOW(1 | 2 ^ 3 & 4);
  SHOW((1 | 2) ^ (3 & 4));
  SHOW(1 < 2 == 1);
  SHOW(1 < (2 == 1));
  SHOW(0 && 1 || 1);
  SHOW(0 && (1 || 1));
  int x = 5, y = 6;
  SHOW((x = y, x + 1));
  SHOW(x ? y ? 1 : 2 : 3);
  SHOW(x > 100 ? 1 : y > 100 ? 2 : 3);
  SHOW(x += y -= 2);
  SHOW(x - -y);
  SHOW(x + +y);
  SHOW(x-- - --y);
  SHOW(0 ?: 9);
  SHOW(4 ?: 9);
  int *p = &x;
  SHOW(*p * *p);
  SHOW(y / *p);
  SHOW('a' + 1);
  SHOW('\n');
  SHOW('\377');
  SHOW('\'' + '"' + '\\' + '?');
  SHOW(L'x');
  SHOW(sizeof 'a');
  return 0;
}

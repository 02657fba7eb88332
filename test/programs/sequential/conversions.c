// Conversions between all arithmetic types, explicit and implicit, in each context that makes them.
#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>

typedef unsigned char byte;

static int narrow(signed char c) { return c; }
static unsigned char truncating(int x) { return x; }
static float halve(double d) { return d / 2; }
static bool truth(double d) { return d; }
static long long widen(unsigned x) { return x; }
static double to_double(unsigned long long x) { return x; }

struct mixed { char c; unsigned short s; bool b; float f; long long l; };

int main(void) {
  printf("%d %d %g %d %lld %.17g\n", narrow(300), truncating(511), halve(3), truth(0.25), widen(-1), to_double(~0ULL));
  double d = -3.99;
  printf("%d %lld %d\n", (int)d, (long long)d, (signed char)(int)d);
  printf("%u %d\n", (unsigned)3.99f, (byte)258);
  float f = 16777217;
  printf("%.9g %.17g\n", f, (double)f + 1);
  unsigned u = 4000000000u;
  printf("%.17g %.9g %d\n", (double)u, (float)u, (int)(u >> 1));
  printf("%d %d %d\n", (bool)0.5, (bool)256, !(bool)0);
  int i = -1;
  printf("%d %d %d\n", i < 1u, (long long)i < 1u, (unsigned char)i == 255);
  printf("%lld %lld\n", (long long)(unsigned)i, (long long)(unsigned short)i);
  printf("%d\n", (int)(short)70000);
  struct mixed m = { 300, 70000, 42, 1, 2.9 };
  printf("%d %d %d %g %lld\n", m.c, m.s, m.b, m.f, m.l);
  m.c = m.s = m.l = 511;
  printf("%d %d %lld\n", m.c, m.s, m.l);
  m.b = &m;
  printf("%d\n", m.b);
  byte x = 200, y = 100;
  byte z = x + y;
  printf("%d %d %d\n", x + y, z, (byte)(x + y) > 200);
  printf("%d\n", (x << 4) >> 4 == x);
  char c = 'A';
  c += 1.9;
  printf("%c %d\n", c, (int)sizeof(c + c));
  int cond = 1;
  printf("%.1f %d\n", cond ? 1 : 2.0, (cond ? -1 : 1u) > 0);
  printf("%d\n", (int)sizeof(cond ? (char)1 : (short)2));
  uint8_t shift = 1;
  printf("%d %llu\n", shift << 9, (unsigned long long)shift << 40);
  int64_t big = (int64_t)1 << 40;
  printf("%lld %d\n", (long long)big, (int)(big >> 38));
  int t = big;
  printf("%d\n", t);
  void *v = &i;
  int *q = v;
  printf("%d %d\n", *q, q == v);
  uintptr_t address = (uintptr_t)v;
  printf("%d\n", (int *)address == q);
  i = 5;
  i *= 0.5;
  printf("%d\n", i);
  unsigned char k = 255;
  k = k + 1;
  printf("%d\n", k);
  k = 255;
  k++;
  printf("%d\n", k);
  signed char s = 127;
  s++;
  printf("%d\n", s);
  short h = (short)0x8000;
  printf("%d %u\n", h, (unsigned)h);
  long double ld = 1.0L / 3;
  printf("%.20Lg %.17g %.9g\n", ld, (double)ld, (double)(float)ld);
  enum { NEGATIVE = -1, POSITIVE = 1 } e = NEGATIVE;
  printf("%d %d\n", e < 0, e + 1u == 0);
  enum { ONLY_POSITIVE = 3 } g = ONLY_POSITIVE;
  printf("%d\n", g - 4 < 0);
  return 0;
}

// Floating constants and arithmetic in all three types, formatted; infinities and NaN; comparisons.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  double d[] = { 0.1, 1e-5, 123456789.123, 1e22, 5e-324, 1.7976931348623157e308, 0x1.921fb54442d18p+1, 3., .25, 1E5 };
  float f[] = { 0.1f, 1e-5f, 16777216.0f, 3.4028235e38F, 1.17549435e-38f, 0x1.fp3f };
  long double l[] = { 0.1L, 1e100L, 0x1.8p-2l };
  for (unsigned i = 0; i < sizeof d / sizeof *d; i++) printf("%a %.17g\n", d[i], d[i]);
  for (unsigned i = 0; i < sizeof f / sizeof *f; i++) printf("%a %.9g\n", f[i], f[i]);
  for (unsigned i = 0; i < sizeof l / sizeof *l; i++) printf("%La %.21Lg\n", l[i], l[i]);
  double x = 7.5, y = -2.25;
  float g = 1.5f;
  printf("%g %g %g %g %g\n", x + y, x - y, x * y, x / y, -x);
  printf("%g %g %g\n", g + 1, g * x, g / 3);
  printf("%d %d %d %d %d\n", x > y, x == 7.5, x != x, !x, x && y);
  printf("%d %d %d\n", (int)(x / 2), (int)y, (int)(g * 3));
  x += 1; x -= g; x *= 2; x /= 3;
  x++; --x;
  printf("%.17g\n", x);
  double inf = __builtin_inf(), nan = __builtin_nan("");
  printf("%g %g %d %d %d\n", inf, -inf, nan == nan, nan < 1, inf > DBL_MAX);
  printf("%g %g %d\n", HUGE_VAL, -HUGE_VAL, isnan(NAN) != 0);
  printf("%g %d\n", -0.0, 1 / -0.0 < 0);
  printf("%.17g %.17g %.9g\n", DBL_EPSILON, DBL_MIN, FLT_EPSILON);
  printf("%.3f %10.2e %G\n", 3.14159, 31415.9, 1e-10);
  printf("%d %d %d\n", (int)sizeof(1.0f), (int)sizeof(1.0), (int)sizeof(1.0f + 1.0));
  printf("%.17g\n", 0.1f + 0.2);
  printf("%.9g\n", (float)0.1 + (float)0.2);
  printf("%.17g\n", (double)(float)0.1);
  float h = 0.1;
  printf("%d %d\n", h == 0.1, h == 0.1f);
  unsigned long long big = 18446744073709551615ULL;
  printf("%.17g %.17g\n", (double)big, (double)(big >> 1));
  printf("%lld\n", (long long)9.0e18);
  return 0;
}

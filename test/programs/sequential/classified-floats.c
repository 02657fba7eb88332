// Classification and rounding of floating-point values, on the special ones too.
#include <math.h>
#include <stdio.h>

static void show(double x) {
  float f = (float)x;
  printf("%d %d %d %d %d", isnan(x) != 0, isinf(x), isfinite(x) != 0, x == x ? signbit(x) != 0 : 0, isfinite(f) != 0);
  if (x == x) {
    printf(" %d %d", fabs(x) == (x < 0 ? -x : x), signbit(fabs(x)) != 0);
    printf(" %d", fabsf(f) == (f < 0 ? -f : f));
  }
  if (isfinite(x) && x > -1e15 && x < 1e15) {
    double rounded[] = {trunc(x), floor(x), ceil(x)};
    for (int i = 0; i < 3; i++) printf(" %lld%s", (long long)rounded[i], signbit(rounded[i]) ? "-" : "+");
  }
  if (x == x) printf(" %d %d", fmax(x, 1.5) == (x > 1.5 ? x : 1.5), fmin(1.5, x) == (x < 1.5 ? x : 1.5));
  printf("\n");
}

static int kind(double x) {
  int all = fpclassify(x);
  if (all == FP_NAN) return 0;
  if (all == FP_INFINITE) return 1;
  if (all == FP_ZERO) return 2;
  return all == FP_SUBNORMAL ? 3 : 4;
}

static void compare(double x, float y) {
  printf("%d %d%d%d%d%d%d", kind(x), isgreater(x, y) != 0, isgreaterequal(x, y) != 0, isless(x, y) != 0,
         islessequal(x, y) != 0, islessgreater(x, y) != 0, isunordered(x, y) != 0);
  printf(" %d%d\n", isnormal(x) != 0, isnormal(y) != 0);
}

int main(void) {
  double zero = 0.0, values[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.75, -2.75, 1e10, -1e14, 1e300, -1e-310, 4503599627370495.5};
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) show(values[i]);
  show(1 / zero);
  show(-1 / zero);
  show(zero / zero);
  for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) compare(values[i], 0.5f);
  compare(zero / zero, 1e-40f);
  compare(1 / zero, (float)(zero / zero));
  return 0;
}

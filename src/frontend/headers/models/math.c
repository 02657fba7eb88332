/* Mathematics that IEEE 754 or plain arithmetic defines exactly, bit by bit. Others (sin, exp, log, ...) are not
   modelled: they return any value, with a warning.

   From 2 to the 52nd on, every double is an integer; below, the conversion to long long is exact. A float converted to
   double is exact too, so that rounding to integers is done once, in double. */
#include "primitives.h"

#define __LAZULI_ALL_INTEGRAL 4503599627370496.0

static unsigned long long __lazuli_double_bits(double value) {
  union {
    double value;
    unsigned long long bits;
  } both;
  both.value = value;
  return both.bits;
}

static double __lazuli_double_of(unsigned long long bits) {
  union {
    double value;
    unsigned long long bits;
  } both;
  both.bits = bits;
  return both.value;
}

double fabs(double x) {
  return x == 0 ? 0 : x < 0 ? -x : x;
}

float fabsf(float x) {
  return x == 0 ? 0 : x < 0 ? -x : x;
}

double copysign(double x, double y) {
  return !__builtin_signbit(x) == !__builtin_signbit(y) ? x : -x;
}

float copysignf(float x, float y) {
  return !__builtin_signbit(x) == !__builtin_signbit(y) ? x : -x;
}

double fmax(double x, double y) {
  if (x != x) return y;
  return x < y ? y : x;
}

float fmaxf(float x, float y) {
  if (x != x) return y;
  return x < y ? y : x;
}

double fmin(double x, double y) {
  if (x != x) return y;
  return y < x ? y : x;
}

float fminf(float x, float y) {
  if (x != x) return y;
  return y < x ? y : x;
}

double fdim(double x, double y) {
  return x <= y ? 0 : x - y;
}

float fdimf(float x, float y) {
  return x <= y ? 0 : x - y;
}

/* A result of zero has the sign of the operand. */
double trunc(double x) {
  if (!(x > -__LAZULI_ALL_INTEGRAL && x < __LAZULI_ALL_INTEGRAL)) return x;
  double whole = (double)(long long)x;
  return whole == 0 ? x * 0 : whole;
}

float truncf(float x) {
  return (float)trunc(x);
}

double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

float floorf(float x) {
  return (float)floor(x);
}

double ceil(double x) {
  double whole = trunc(x);
  return whole < x ? whole + 1 : whole;
}

float ceilf(float x) {
  return (float)ceil(x);
}

/* Halves away from zero. */
double round(double x) {
  double whole = trunc(x);
  if (x - whole >= 0.5) return whole + 1;
  return x - whole <= -0.5 ? whole - 1 : whole;
}

float roundf(float x) {
  return (float)round(x);
}

/* Halves to even: adding a number so large that nothing behind the point is left rounds just so. */
double rint(double x) {
  if (!(x > -__LAZULI_ALL_INTEGRAL && x < __LAZULI_ALL_INTEGRAL)) return x;
  double whole = x < 0 ? x - __LAZULI_ALL_INTEGRAL + __LAZULI_ALL_INTEGRAL : x + __LAZULI_ALL_INTEGRAL - __LAZULI_ALL_INTEGRAL;
  return whole == 0 ? x * 0 : whole;
}

float rintf(float x) {
  return (float)rint(x);
}

double nearbyint(double x) {
  return rint(x);
}

float nearbyintf(float x) {
  return (float)rint(x);
}

long lround(double x) {
  return (long)round(x);
}

long lroundf(float x) {
  return (long)round(x);
}

long long llround(double x) {
  return (long long)round(x);
}

long long llroundf(float x) {
  return (long long)round(x);
}

long lrint(double x) {
  return (long)rint(x);
}

long lrintf(float x) {
  return (long)rint(x);
}

long long llrint(double x) {
  return (long long)rint(x);
}

long long llrintf(float x) {
  return (long long)rint(x);
}

double modf(double x, double *whole) {
  double integral = trunc(x);
  *whole = integral;
  if (x - x != 0) return x != x ? x : copysign(0, x);
  return copysign(x - integral, x);
}

float modff(float x, float *whole) {
  double integral;
  float fraction = (float)modf(x, &integral);
  *whole = (float)integral;
  return fraction;
}

/* The exponent and, in `mantissa`, 53 bits of which the highest is set: x is mantissa times 2 to the (exponent - 1075).
   For positive finite numbers. */
static int __lazuli_take_apart(double x, unsigned long long *mantissa) {
  unsigned long long bits = __lazuli_double_bits(x);
  int exponent = (int)(bits >> 52 & 0x7ff);
  unsigned long long digits = bits & 0xfffffffffffffULL;
  if (exponent != 0) {
    *mantissa = digits | 1ULL << 52;
    return exponent;
  }
  exponent = 1;
  for (int i = 0; i < 52; i++) {
    if (!(digits >> 52)) {
      digits <<= 1;
      exponent--;
    }
  }
  *mantissa = digits;
  return exponent;
}

/* Digit by digit, as one learns it at school, with one digit more than the result has for rounding (Sun's fdlibm). */
double sqrt(double x) {
  unsigned long long rest, root = 0, twice = 0;
  int exponent;
  if (!(x > 0) || x - x != 0) return x < 0 ? x - x + __builtin_nan("") : x;
  exponent = __lazuli_take_apart(x, &rest) - 1023;
  if (exponent & 1) rest <<= 1;
  exponent = (exponent - (exponent & 1)) / 2;
  rest <<= 1;
  for (int bit = 53; bit >= 0; bit--) {
    unsigned long long digit = 1ULL << bit;
    unsigned long long trial = twice + digit;
    if (trial <= rest) {
      twice = trial + digit;
      rest -= trial;
      root += digit;
    }
    rest <<= 1;
  }
  if (rest != 0) root += root & 1;
  return __lazuli_double_of((root >> 1) + ((unsigned long long)(exponent + 1022) << 52));
}

/* A double has more than twice the digits of a float, so that rounding twice is rounding once. */
float sqrtf(float x) {
  return (float)sqrt(x);
}

/* Long division: as many turns as the exponents differ. */
double fmod(double x, double y) {
  unsigned long long rest, divisor;
  int exponent, least;
  double left = fabs(x), right = fabs(y);
  if (!(right > 0) || left - left != 0 || x != x) return __builtin_nan("");
  if (left < right) return x;
  exponent = __lazuli_take_apart(left, &rest);
  least = __lazuli_take_apart(right, &divisor);
  while (exponent > least) {
    if (rest >= divisor) rest -= divisor;
    rest <<= 1;
    exponent--;
  }
  if (rest >= divisor) rest -= divisor;
  return copysign(ldexp((double)rest, exponent - 1075), x);
}

float fmodf(float x, float y) {
  return (float)fmod(x, y);
}

/* In steps that are exact but for the last one, so that a result without leading digit is rounded once. */
double ldexp(double x, int exponent) {
  double huge = 0x1p1023, tiny = 0x1p-969;
  for (int i = 0; i < 2 && exponent > 1023; i++) {
    x *= huge;
    exponent -= 1023;
  }
  for (int i = 0; i < 2 && exponent < -1022; i++) {
    x *= tiny;
    exponent += 969;
  }
  if (exponent > 1023) exponent = 1023;
  if (exponent < -1022) exponent = -1022;
  return x * __lazuli_double_of((unsigned long long)(exponent + 1023) << 52);
}

/* Exact in double, if at all within the range of floats; then rounded once. */
float ldexpf(float x, int exponent) {
  return (float)ldexp(x, exponent);
}

double scalbn(double x, int exponent) {
  return ldexp(x, exponent);
}

float scalbnf(float x, int exponent) {
  return (float)ldexp(x, exponent);
}

double frexp(double x, int *exponent) {
  unsigned long long mantissa;
  *exponent = 0;
  if (x == 0 || x - x != 0) return x;
  *exponent = __lazuli_take_apart(fabs(x), &mantissa) - 1022;
  return copysign(__lazuli_double_of((mantissa & 0xfffffffffffffULL) | 0x3fe0000000000000ULL), x);
}

float frexpf(float x, int *exponent) {
  return (float)frexp(x, exponent);
}

/* Classification, by the names that headers of glibc use. */
int __isnan(double x) {
  return x != x;
}

int __isnanf(float x) {
  return x != x;
}

int __isinf(double x) {
  return __builtin_isinf_sign(x);
}

int __isinff(float x) {
  return __builtin_isinf_sign(x);
}

int __finite(double x) {
  return __builtin_isfinite(x);
}

int __finitef(float x) {
  return __builtin_isfinite(x);
}

int __signbit(double x) {
  return __builtin_signbit(x);
}

int __signbitf(float x) {
  return __builtin_signbit(x);
}

int __fpclassify(double x) {
  return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

int __fpclassifyf(float x) {
  return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

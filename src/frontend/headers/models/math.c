/* Mathematics that plain arithmetic can say exactly. Others (sqrt, sin, pow, …) are not modelled: they return any value.

   From 2 to the 52nd on, every double is an integer; below, the conversion to long long is exact. */
#include "primitives.h"

#define __LAZULI_ALL_INTEGRAL 4503599627370496.0

double fabs(double x) {
  return x == 0 ? 0 : x < 0 ? -x : x;
}

float fabsf(float x) {
  return x == 0 ? 0 : x < 0 ? -x : x;
}

double fmax(double x, double y) {
  if (x != x) return y;
  return x < y ? y : x;
}

double fmin(double x, double y) {
  if (x != x) return y;
  return y < x ? y : x;
}

/* A result of zero has the sign of the operand. */
double trunc(double x) {
  if (!(x > -__LAZULI_ALL_INTEGRAL && x < __LAZULI_ALL_INTEGRAL)) return x;
  double whole = (double)(long long)x;
  return whole == 0 ? x * 0 : whole;
}

double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

double ceil(double x) {
  double whole = trunc(x);
  return whole < x ? whole + 1 : whole;
}

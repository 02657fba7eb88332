/* C11 7.12: mathematics. Functions are declared for the three floating types by one line each. */
#ifndef _MATH_H
#define _MATH_H

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ == 2
typedef long double float_t;
typedef long double double_t;
#else
typedef float float_t;
typedef double double_t;
#endif

#define __LAZULI_UNARY(name) double name(double); float name##f(float); long double name##l(long double)
#define __LAZULI_BINARY(name) \
  double name(double, double); float name##f(float, float); long double name##l(long double, long double)
#define __LAZULI_ROUND(type, name) type name(double); type name##f(float); type name##l(long double)

__LAZULI_UNARY(acos);
__LAZULI_UNARY(asin);
__LAZULI_UNARY(atan);
__LAZULI_UNARY(cos);
__LAZULI_UNARY(sin);
__LAZULI_UNARY(tan);
__LAZULI_UNARY(acosh);
__LAZULI_UNARY(asinh);
__LAZULI_UNARY(atanh);
__LAZULI_UNARY(cosh);
__LAZULI_UNARY(sinh);
__LAZULI_UNARY(tanh);
__LAZULI_UNARY(exp);
__LAZULI_UNARY(exp2);
__LAZULI_UNARY(expm1);
__LAZULI_UNARY(log);
__LAZULI_UNARY(log10);
__LAZULI_UNARY(log1p);
__LAZULI_UNARY(log2);
__LAZULI_UNARY(logb);
__LAZULI_UNARY(cbrt);
__LAZULI_UNARY(fabs);
__LAZULI_UNARY(sqrt);
__LAZULI_UNARY(erf);
__LAZULI_UNARY(erfc);
__LAZULI_UNARY(lgamma);
__LAZULI_UNARY(tgamma);
__LAZULI_UNARY(ceil);
__LAZULI_UNARY(floor);
__LAZULI_UNARY(nearbyint);
__LAZULI_UNARY(rint);
__LAZULI_UNARY(round);
__LAZULI_UNARY(trunc);
__LAZULI_BINARY(atan2);
__LAZULI_BINARY(copysign);
__LAZULI_BINARY(fdim);
__LAZULI_BINARY(fmax);
__LAZULI_BINARY(fmin);
__LAZULI_BINARY(fmod);
__LAZULI_BINARY(hypot);
__LAZULI_BINARY(nextafter);
__LAZULI_BINARY(pow);
__LAZULI_BINARY(remainder);
__LAZULI_ROUND(int, ilogb);
__LAZULI_ROUND(long, lrint);
__LAZULI_ROUND(long, lround);
__LAZULI_ROUND(long long, llrint);
__LAZULI_ROUND(long long, llround);

/* What glibc's macros for classification call. */
int __isnan(double);
int __isnanf(float);
int __isinf(double);
int __isinff(float);
int __finite(double);
int __finitef(float);
int __signbit(double);
int __signbitf(float);
int __fpclassify(double);
int __fpclassifyf(float);

double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double frexp(double value, int *exponent);
float frexpf(float value, int *exponent);
long double frexpl(long double value, int *exponent);
double ldexp(double value, int exponent);
float ldexpf(float value, int exponent);
long double ldexpl(long double value, int exponent);
double scalbn(double value, int exponent);
float scalbnf(float value, int exponent);
long double scalbnl(long double value, int exponent);
double scalbln(double value, long exponent);
double modf(double value, double *whole);
float modff(float value, float *whole);
long double modfl(long double value, long double *whole);
double nan(const char *tag);
float nanf(const char *tag);
long double nanl(const char *tag);

#undef __LAZULI_UNARY
#undef __LAZULI_BINARY
#undef __LAZULI_ROUND

#endif

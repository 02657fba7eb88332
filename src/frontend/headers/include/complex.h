/* C11 7.3: complex numbers, the common part. */
#ifndef _COMPLEX_H
#define _COMPLEX_H

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I

double cabs(double _Complex);
double carg(double _Complex);
double creal(double _Complex);
double cimag(double _Complex);
double _Complex conj(double _Complex);
double _Complex cexp(double _Complex);
double _Complex clog(double _Complex);
double _Complex csqrt(double _Complex);
double _Complex cpow(double _Complex, double _Complex);
float cabsf(float _Complex);
float crealf(float _Complex);
float cimagf(float _Complex);
float _Complex conjf(float _Complex);

#endif

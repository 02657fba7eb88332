/* C11 7.22 and POSIX: general utilities. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <alloca.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
typedef struct {
  long long quot;
  long long rem;
} lldiv_t;
typedef int (*__compar_fn_t)(const void *, const void *);

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void *reallocarray(void *memory, size_t count, size_t size);
void free(void *memory);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **result, size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);
void *valloc(size_t size);

_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
int atexit(void (*handler)(void));
int at_quick_exit(void (*handler)(void));
int system(const char *command);
char *getenv(const char *name);
char *secure_getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);

int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int numerator, int denominator);
ldiv_t ldiv(long numerator, long denominator);
lldiv_t lldiv(long long numerator, long long denominator);
void qsort(void *base, size_t count, size_t size, __compar_fn_t compare);
void *bsearch(const void *key, const void *base, size_t count, size_t size, __compar_fn_t compare);

int mblen(const char *text, size_t size);
int mbtowc(wchar_t *restrict result, const char *restrict text, size_t size);
int wctomb(char *text, wchar_t character);
size_t mbstowcs(wchar_t *restrict result, const char *restrict text, size_t size);
size_t wcstombs(char *restrict result, const wchar_t *restrict text, size_t size);
char *realpath(const char *restrict path, char *restrict result);
int mkstemp(char *template);
char *mkdtemp(char *template);

#endif

/* General utilities: the end of the program, numbers, sorting, and what comes from outside. */
#include "constants.h"
#include "primitives.h"

#define __LAZULI_EXIT_HANDLERS 64

static _Thread_local int __lazuli_errno;

int *__errno_location(void) {
  return &__lazuli_errno;
}

static void (*__lazuli_exit_handler[__LAZULI_EXIT_HANDLERS])(void);

static unsigned int __lazuli_exit_handler_count;

int atexit(void (*handler)(void)) {
  __lazuli_atomic_begin();
  if (__lazuli_exit_handler_count >= __LAZULI_EXIT_HANDLERS) __lazuli_unsupported("more than 64 exit handlers");
  __lazuli_exit_handler[__lazuli_exit_handler_count] = handler;
  __lazuli_exit_handler_count = __lazuli_exit_handler_count + 1;
  __lazuli_atomic_end();
  return 0;
}

/* The thread that ends the program, by its number plus one. */
static unsigned int __lazuli_exiting_thread;

/* For exit and for the end of main. A second thread that ends the program waits for the first for ever, as in POSIX. */
static void __lazuli_run_exit_handlers(void) {
  unsigned int self = __lazuli_self() + 1;
  __lazuli_atomic_begin();
  __lazuli_assume(__lazuli_exiting_thread == 0 || __lazuli_exiting_thread == self);
  __lazuli_exiting_thread = self;
  __lazuli_atomic_end();
  while (__lazuli_exit_handler_count > 0) {
    __lazuli_exit_handler_count = __lazuli_exit_handler_count - 1;
    __lazuli_exit_handler[__lazuli_exit_handler_count]();
  }
}

void exit(int status) {
  (void)status;
  __LAZULI_WHEN(atexit) __lazuli_run_exit_handlers();
  __lazuli_halt();
}

void _Exit(int status) {
  (void)status;
  __lazuli_halt();
}

void _exit(int status) {
  (void)status;
  __lazuli_halt();
}

void quick_exit(int status) {
  (void)status;
  __lazuli_halt();
}

/* Calling abort ends the program; by itself it breaks no check. */
void abort(void) {
  __lazuli_halt();
}

/* Another process runs; it reaches nothing of this one. */
int system(const char *command) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  (void)command;
  return __lazuli_nondet_int();
}

int abs(int value) {
  return value < 0 ? -value : value;
}

long labs(long value) {
  return value < 0 ? -value : value;
}

long long llabs(long long value) {
  return value < 0 ? -value : value;
}

div_t div(int numerator, int denominator) {
  div_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}

ldiv_t ldiv(long numerator, long denominator) {
  ldiv_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}

lldiv_t lldiv(long long numerator, long long denominator) {
  lldiv_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}

int ffs(int value) {
  for (int bit = 0; bit < 32; bit++) {
    if ((unsigned int)value >> bit & 1) return bit + 1;
  }
  return 0;
}

static int __lazuli_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'z') return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z') return character - 'A' + 10;
  return 99;
}

/* Reads a number: its sign, and its magnitude, which is cut at the limit with ERANGE. */
static unsigned long long __lazuli_parse_number(const char *text, char **end, int base, unsigned long long limit,
                                                int *negative, int *overflow) {
  const char *at = text;
  const char *last = text;
  unsigned long long value = 0;
  *overflow = 0;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
  *negative = *at == '-';
  if (*at == '-' || *at == '+') at++;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __lazuli_digit(at[2]) < 16) {
    base = 16;
    at += 2;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  while (__lazuli_digit(*at) < base) {
    unsigned int digit = (unsigned int)__lazuli_digit(*at);
    if (*overflow || value > (limit - digit) / (unsigned int)base) {
      *overflow = 1;
    } else {
      value = value * (unsigned int)base + digit;
    }
    at++;
    last = at;
  }
  if (end) *end = (char *)last;
  if (!*overflow) return value;
  *__errno_location() = __LAZULI_ERANGE;
  return limit;
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
  int negative, overflow;
  unsigned long long value = __lazuli_parse_number(text, end, base, 1ULL << 63, &negative, &overflow);
  if (negative) return value == 1ULL << 63 ? -0x7fffffffffffffffLL - 1 : -(long long)value;
  if (value == 1ULL << 63) {
    *__errno_location() = __LAZULI_ERANGE;
    return 0x7fffffffffffffffLL;
  }
  return (long long)value;
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  int negative, overflow;
  unsigned long long value = __lazuli_parse_number(text, end, base, ~0ULL, &negative, &overflow);
  return negative && !overflow ? 0 - value : value;
}

long strtol(const char *restrict text, char **restrict end, int base) {
  long long value = strtoll(text, end, base);
  long largest = (long)(~0UL >> 1);
  if (value > largest) {
    *__errno_location() = __LAZULI_ERANGE;
    return largest;
  }
  if (value < -largest - 1) {
    *__errno_location() = __LAZULI_ERANGE;
    return -largest - 1;
  }
  return (long)value;
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  int negative, overflow;
  unsigned long long value = __lazuli_parse_number(text, end, base, ~0UL, &negative, &overflow);
  return negative && !overflow ? 0 - (unsigned long)value : (unsigned long)value;
}

int atoi(const char *text) {
  return (int)strtol(text, (char **)0, 10);
}

long atol(const char *text) {
  return strtol(text, (char **)0, 10);
}

long long atoll(const char *text) {
  return strtoll(text, (char **)0, 10);
}

/* Newer headers give strtol and its like other names for the next C standard. */
long __isoc23_strtol(const char *restrict text, char **restrict end, int base) {
  return strtol(text, end, base);
}

unsigned long __isoc23_strtoul(const char *restrict text, char **restrict end, int base) {
  return strtoul(text, end, base);
}

long long __isoc23_strtoll(const char *restrict text, char **restrict end, int base) {
  return strtoll(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *restrict text, char **restrict end, int base) {
  return strtoull(text, end, base);
}

/* Reads a decimal number: mantissa times a power of ten. The end is the text itself where there is none. */
static unsigned long long __lazuli_parse_decimal(const char *text, char **end, int *exponent) {
  const char *at = text;
  unsigned long long mantissa = 0;
  int digits = 0, fraction = 0, power = 0;
  while ((*at >= '0' && *at <= '9') || (*at == '.' && !fraction)) {
    if (*at == '.') {
      fraction = 1;
    } else {
      digits = 1;
      if (mantissa >= 100000000000000000ULL) __lazuli_unsupported("a floating-point number with more than 17 digits");
      mantissa = mantissa * 10 + (unsigned int)(*at - '0');
      power -= fraction;
    }
    at++;
  }
  *end = (char *)(digits ? at : text);
  if (digits && (*at == 'e' || *at == 'E')) {
    int negative = at[1] == '-';
    const char *number = negative || at[1] == '+' ? at + 2 : at + 1;
    int value = 0;
    while (*number >= '0' && *number <= '9') {
      if (value < 10000) value = value * 10 + (*number - '0');
      number++;
      *end = (char *)number;
    }
    power += negative ? -value : value;
  }
  *exponent = power;
  return mantissa;
}

/* Where the signed number begins; words and hexadecimal digits are left out. */
static const char *__lazuli_float_start(const char *text, int *negative) {
  while (*text == ' ' || (*text >= '\t' && *text <= '\r')) text++;
  *negative = *text == '-';
  if (*text == '-' || *text == '+') text++;
  if (*text == 'i' || *text == 'I' || *text == 'n' || *text == 'N') __lazuli_unsupported("infinity or NaN in a text");
  if (*text == '0' && (text[1] == 'x' || text[1] == 'X')) __lazuli_unsupported("a hexadecimal floating-point number");
  return text;
}

/* Mantissas and powers of ten that a double holds exactly need one correctly rounded operation (Clinger's fast
   path). */
double strtod(const char *restrict text, char **restrict end) {
  int negative, exponent;
  char *last;
  const char *start = __lazuli_float_start(text, &negative);
  unsigned long long mantissa = __lazuli_parse_decimal(start, &last, &exponent);
  double power = 1, value;
  if (end) *end = last == start ? (char *)text : last;
  if (mantissa == 0) return negative ? -0.0 : 0.0;
  if (mantissa > 1ULL << 53 || exponent < -22 || exponent > 22)
    __lazuli_unsupported("a floating-point number that takes more than one rounding to read");
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) power *= 10;
  value = exponent < 0 ? (double)mantissa / power : (double)mantissa * power;
  return negative ? -value : value;
}

float strtof(const char *restrict text, char **restrict end) {
  int negative, exponent;
  char *last;
  const char *start = __lazuli_float_start(text, &negative);
  unsigned long long mantissa = __lazuli_parse_decimal(start, &last, &exponent);
  float power = 1, value;
  if (end) *end = last == start ? (char *)text : last;
  if (mantissa == 0) return negative ? -0.0f : 0.0f;
  if (mantissa > 1ULL << 24 || exponent < -10 || exponent > 10)
    __lazuli_unsupported("a floating-point number that takes more than one rounding to read");
  for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) power *= 10;
  value = exponent < 0 ? (float)mantissa / power : (float)mantissa * power;
  return negative ? -value : value;
}

double atof(const char *text) {
  return strtod(text, (char **)0);
}

int rand(void) {
  return (int)(__lazuli_nondet_uint() >> 1);
}

int rand_r(unsigned int *seed) {
  *seed = __lazuli_nondet_uint();
  return rand();
}

void srand(unsigned int seed) {
  (void)seed;
}

long random(void) {
  return rand();
}

long lrand48(void) {
  return rand();
}

void srandom(unsigned int seed) {
  (void)seed;
}

void srand48(long seed) {
  (void)seed;
}

/* A variable that is set has any text of up to 7 characters. */
char *getenv(const char *name) {
  (void)name;
  if (__lazuli_nondet_bool()) return (char *)0;
  return __lazuli_any_string(8);
}

/* A new string, with any contents, that fits into the size. */
static char *__lazuli_any_string(__SIZE_TYPE__ size) {
  char *text = __lazuli_allocate(size, 0);
  __lazuli_write_any_string(text, size);
  return text;
}

/* Writes any string that fits into the size, which is not 0. */
static void __lazuli_write_any_string(char *text, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i + 1 < size; i++) text[i] = (char)__lazuli_nondet_uchar();
  text[size - 1] = 0;
}

static void __lazuli_swap(unsigned char *left, unsigned char *right, __SIZE_TYPE__ size) {
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    unsigned char byte = left[i];
    left[i] = right[i];
    right[i] = byte;
  }
}

/* Bubble sort: its loops run as often as the count says, whatever the values. */
void qsort(void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size, int (*compare)(const void *, const void *)) {
  unsigned char *bytes = base;
  for (__SIZE_TYPE__ end = count; end > 1; end--) {
    for (__SIZE_TYPE__ i = 1; i < end; i++) {
      unsigned char *left = bytes + (i - 1) * size;
      unsigned char *right = bytes + i * size;
      if (compare(left, right) > 0) __lazuli_swap(left, right, size);
    }
  }
}

void *bsearch(const void *key, const void *base, __SIZE_TYPE__ count, __SIZE_TYPE__ size,
              int (*compare)(const void *, const void *)) {
  const unsigned char *bytes = base;
  __SIZE_TYPE__ low = 0;
  __SIZE_TYPE__ high = count;
  while (low < high) {
    __SIZE_TYPE__ middle = low + (high - low) / 2;
    int order = compare(key, bytes + middle * size);
    if (order == 0) return (void *)(bytes + middle * size);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return (void *)0;
}

/* The models of string, memory, number and mathematical functions against the C library's own, on all small inputs of some kinds.
   Prints the first difference and exits with 1. Stands after native-primitives.h and the linked models. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>

static int sign(int value) { return (value > 0) - (value < 0); }

#define SAME(what, left, right)                                     \
  do {                                                              \
    if ((left) != (right)) {                                        \
      printf("%s differs for \"%s\" and \"%s\"\n", what, a, b);     \
      exit(1);                                                      \
    }                                                               \
  } while (0)

static const char *texts[] = {"",      "a",    "b",      "ab",      "ba",        "aab",  "abab",       "babaab",
                              "A",     "aB",   "Ab",     "a b",     " ab, ba",   ",,a,b", "\x80z",      "z\x80",
                              "hello", "help", "hel",    "HELLO",   "lo",        "l",    "el",         "  x"};
enum { text_count = sizeof texts / sizeof texts[0] };

static void compare_searches(const char *a, const char *b) {
  SAME("strlen", model_strlen(a), strlen(a));
  SAME("strcmp", sign(model_strcmp(a, b)), sign(strcmp(a, b)));
  SAME("strcasecmp", sign(model_strcasecmp(a, b)), sign(strcasecmp(a, b)));
  SAME("strstr", model_strstr(a, b), strstr(a, b));
  SAME("strspn", model_strspn(a, b), strspn(a, b));
  SAME("strcspn", model_strcspn(a, b), strcspn(a, b));
  SAME("strpbrk", model_strpbrk(a, b), strpbrk(a, b));
  for (size_t n = 0; n < 8; n++) {
    SAME("strnlen", model_strnlen(a, n), strnlen(a, n));
    SAME("strncmp", sign(model_strncmp(a, b, n)), sign(strncmp(a, b, n)));
    SAME("strncasecmp", sign(model_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
  }
  size_t common = strlen(a) < strlen(b) ? strlen(a) + 1 : strlen(b) + 1;
  SAME("memcmp", sign(model_memcmp(a, b, common)), sign(memcmp(a, b, common)));
  for (const char *c = "ab, lz\x80"; ; c++) {
    SAME("strchr", model_strchr(a, *c), strchr(a, *c));
    SAME("strrchr", model_strrchr(a, *c), strrchr(a, *c));
    SAME("memchr", model_memchr(a, *c, strlen(a)), memchr(a, *c, strlen(a)));
    SAME("memrchr", model_memrchr(a, *c, strlen(a)), memrchr(a, *c, strlen(a)));
    if (!*c) break;
  }
}

static void compare_copies(const char *a, const char *b) {
  char ours[64], theirs[64];
  memset(ours, '#', sizeof ours);
  memset(theirs, '#', sizeof theirs);
  model_strcpy(ours, a);
  strcpy(theirs, a);
  model_strcat(ours, b);
  strcat(theirs, b);
  SAME("strcat", memcmp(ours, theirs, sizeof ours), 0);
  for (size_t n = 0; n < 8; n++) {
    model_strncat(ours, b, n);
    strncat(theirs, b, n);
    SAME("strncat", memcmp(ours, theirs, sizeof ours), 0);
    model_strncpy(ours, a, n);
    strncpy(theirs, a, n);
    SAME("strncpy", memcmp(ours, theirs, sizeof ours), 0);
    model_memset(ours + 30, *a, n);
    memset(theirs + 30, *a, n);
    SAME("memset", memcmp(ours, theirs, sizeof ours), 0);
    for (int offset = -3; offset <= 3; offset++) {
      model_memmove(ours + 10, ours + 10 + offset, n);
      memmove(theirs + 10, theirs + 10 + offset, n);
      SAME("memmove", memcmp(ours, theirs, sizeof ours), 0);
    }
    ours[50] = theirs[50] = 0;
  }
  strcpy(ours, a);
  strcpy(theirs, a);
  char *state_ours, *state_theirs;
  char *token_ours = model_strtok_r(ours, b, &state_ours);
  char *token_theirs = strtok_r(theirs, b, &state_theirs);
  while (token_ours && token_theirs) {
    SAME("strtok_r", strcmp(token_ours, token_theirs), 0);
    token_ours = model_strtok_r(0, b, &state_ours);
    token_theirs = strtok_r(0, b, &state_theirs);
  }
  SAME("strtok_r", !token_ours, !token_theirs);
  char *copy = model_strdup(a);
  SAME("strdup", strcmp(copy, a), 0);
  copy = model_realloc(copy, strlen(a) + 9);
  SAME("realloc", strcmp(copy, a), 0);
  model_free(copy);
}

static void compare_numbers(void) {
  static const char *numbers[] = {"", "0", "-0", "7", " 42x", "+13", "-13", "0x1f", "0x", "0xg", "077", "08", "z", "-", "abc",
                                  "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
                                  "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                  "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                                  "-18446744073709551615", "99999999999999999999999"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  const char *b = "";
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const char *a = numbers[i];
    for (unsigned j = 0; j < 6; j++) {
      char *end_ours, *end_theirs;
      SAME("strtol", model_strtol(a, &end_ours, bases[j]), strtol(a, &end_theirs, bases[j]));
      SAME("strtol's end", end_ours, end_theirs);
      SAME("strtoll", model_strtoll(a, &end_ours, bases[j]), strtoll(a, &end_theirs, bases[j]));
      SAME("strtoul", model_strtoul(a, &end_ours, bases[j]), strtoul(a, &end_theirs, bases[j]));
      SAME("strtoull", model_strtoull(a, &end_ours, bases[j]), strtoull(a, &end_theirs, bases[j]));
      *model___errno_location() = 0;
      errno = 0;
      model_strtol(a, &end_ours, bases[j]);
      strtol(a, &end_theirs, bases[j]);
      SAME("strtol's errno", *model___errno_location(), errno);
    }
    SAME("atoi", model_atoi(a), atoi(a));
  }
}

static void compare_characters(void) {
  const char *a = "", *b = "";
  for (int c = 0; c < 128; c++) {
    char text[2] = {(char)c, 0};
    a = text;
    SAME("isalnum", !model_isalnum(c), !isalnum(c));
    SAME("isalpha", !model_isalpha(c), !isalpha(c));
    SAME("isblank", !model_isblank(c), !isblank(c));
    SAME("iscntrl", !model_iscntrl(c), !iscntrl(c));
    SAME("isdigit", !model_isdigit(c), !isdigit(c));
    SAME("isgraph", !model_isgraph(c), !isgraph(c));
    SAME("islower", !model_islower(c), !islower(c));
    SAME("isprint", !model_isprint(c), !isprint(c));
    SAME("ispunct", !model_ispunct(c), !ispunct(c));
    SAME("isspace", !model_isspace(c), !isspace(c));
    SAME("isupper", !model_isupper(c), !isupper(c));
    SAME("isxdigit", !model_isxdigit(c), !isxdigit(c));
    SAME("tolower", model_tolower(c), tolower(c));
    SAME("toupper", model_toupper(c), toupper(c));
  }
  for (int c = -128; c < 256; c++) {
    SAME("__ctype_b_loc", (*model___ctype_b_loc())[c], (*__ctype_b_loc())[c]);
    SAME("__ctype_tolower_loc", (*model___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c]);
    SAME("__ctype_toupper_loc", (*model___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c]);
  }
}

static int compare_ints(const void *left, const void *right) {
  int a = *(const int *)left, b = *(const int *)right;
  return (a > b) - (a < b);
}

static void compare_sorting(void) {
  const char *a = "", *b = "";
  for (unsigned round = 0; round < 200; round++) {
    int ours[8], theirs[8];
    unsigned count = round % 9;
    for (unsigned i = 0; i < count; i++) ours[i] = theirs[i] = (int)(__lazuli_nondet_uint() % 6) - 3;
    model_qsort(ours, count, sizeof(int), compare_ints);
    qsort(theirs, count, sizeof(int), compare_ints);
    SAME("qsort", memcmp(ours, theirs, count * sizeof(int)), 0);
    for (int key = -4; key < 5; key++) {
      int *found_ours = model_bsearch(&key, ours, count, sizeof(int), compare_ints);
      int *found_theirs = bsearch(&key, theirs, count, sizeof(int), compare_ints);
      SAME("bsearch", !found_ours, !found_theirs);
      if (found_ours) SAME("bsearch's value", *found_ours, key);
    }
  }
}

/* A format, and what follows from it: eight bytes for each target, so that what is not written shows as well. */
static void compare_scan(const char *a, const char *b) {
  char ours[4][24], theirs[4][24];
  memset(ours, '#', sizeof ours);
  memset(theirs, '#', sizeof theirs);
  int count = model_sscanf(a, b, ours[0], ours[1], ours[2], ours[3]);
  SAME("sscanf", count, sscanf(a, b, theirs[0], theirs[1], theirs[2], theirs[3]));
  SAME("sscanf's values", memcmp(ours, theirs, sizeof ours), 0);
}

static void compare_input(void) {
  static const char *inputs[] = {"", " ", "7", "-12 34", "  5,6", "0x1f 010", "abc def", "a-b", "12abc", "1.5 -2e3", ".25x", "99999999999",
                                 "12 xy 3", "100%", "-", "+4", "z9", "4294967295 65537", "1e", "\n\t8\n"};
  static const char *formats[] = {"%d", "%d %d", "%d,%d", "%i %i", "%x", "%o", "%u%n", "%2d%d", "%s %s", "%3s%s", "%c%c", "%2c",
                                  "%[a-z]%s", "%[^,],%d", "%*d %d", "%hd %hhd", "%ld %lld", "%zu", "%d%%", "x%d", "%lf %lf", "%f",
                                  "%d %s %d", " %c", "%[]a]", "%5[0-9]%n", "%*s%n"};
  for (unsigned i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
    for (unsigned j = 0; j < sizeof formats / sizeof formats[0]; j++) {
      int is_left_out = (strstr(inputs[i], "0x") || strlen(inputs[i]) > 9) && strchr(formats[j], 'f');
      if (!is_left_out) compare_scan(inputs[i], formats[j]);
    }
  }
}

/* The same number, zeros told apart by their sign and NaN equal to itself. */
static int is_same(double left, double right) {
  if (left != left || right != right) return left != left && right != right;
  return left == right && !signbit(left) == !signbit(right);
}

#define SAME_NUMBER(what, left, right)                          \
  do {                                                          \
    if (!is_same(left, right)) {                                \
      printf("%s differs for %a and %a\n", what, x, y);         \
      exit(1);                                                  \
    }                                                           \
  } while (0)

static void compare_rounding(double x) {
  double y = 0, part_ours, part_theirs;
  int ours, theirs;
  SAME_NUMBER("sqrt", model_sqrt(x), sqrt(x));
  SAME_NUMBER("fabs", model_fabs(x), fabs(x));
  SAME_NUMBER("floor", model_floor(x), floor(x));
  SAME_NUMBER("ceil", model_ceil(x), ceil(x));
  SAME_NUMBER("trunc", model_trunc(x), trunc(x));
  SAME_NUMBER("round", model_round(x), round(x));
  SAME_NUMBER("rint", model_rint(x), rint(x));
  SAME_NUMBER("modf", model_modf(x, &part_ours), modf(x, &part_theirs));
  SAME_NUMBER("modf's whole", part_ours, part_theirs);
  SAME_NUMBER("frexp", model_frexp(x, &ours), frexp(x, &theirs));
  if (x - x == 0) SAME_NUMBER("frexp's exponent", ours, theirs);
  if (fabs(x) < 1e9) SAME_NUMBER("lround", model_lround(x), lround(x));
  if (fabs(x) < 1e9) SAME_NUMBER("llrint", model_llrint(x), llrint(x));
  for (y = -2200; y <= 2200; y += 37) SAME_NUMBER("ldexp", model_ldexp(x, (int)y), ldexp(x, (int)y));
  y = 0;
  SAME_NUMBER("sqrtf", model_sqrtf((float)x), sqrtf((float)x));
  SAME_NUMBER("floorf", model_floorf((float)x), floorf((float)x));
  SAME_NUMBER("roundf", model_roundf((float)x), roundf((float)x));
  for (y = -300; y <= 300; y += 7) SAME_NUMBER("ldexpf", model_ldexpf((float)x, (int)y), ldexpf((float)x, (int)y));
}

static void compare_pairs(double x, double y) {
  SAME_NUMBER("fmod", model_fmod(x, y), fmod(x, y));
  SAME_NUMBER("fmodf", model_fmodf((float)x, (float)y), fmodf((float)x, (float)y));
  SAME_NUMBER("fdim", model_fdim(x, y), fdim(x, y));
  SAME_NUMBER("copysign", model_copysign(x, fabs(y)), copysign(x, fabs(y)));
  if (x == 0 && y == 0) return;
  SAME_NUMBER("fmin", model_fmin(x, y), fmin(x, y));
  SAME_NUMBER("fmax", model_fmax(x, y), fmax(x, y));
}

static void compare_mathematics(void) {
  enum { count = 400 };
  static double numbers[count] = {0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4, 2, 1e300, 5e-324, -5e-324, 2.2250738585072014e-308,
                                  4503599627370495.5, 4503599627370497, 9007199254740993, 1e17, -1e-310, 3, 10, 1.0 / 3};
  numbers[24] = INFINITY;
  numbers[25] = -INFINITY;
  numbers[26] = NAN;
  for (unsigned i = 27; i < count; i++) {
    unsigned long long bits = (unsigned long long)__lazuli_nondet_uint() << 32 | __lazuli_nondet_uint();
    if (i % 2) bits = (bits & 0x803fffffffffffffULL) | (unsigned long long)(1000 + i % 60) << 52;
    memcpy(&numbers[i], &bits, sizeof bits);
  }
  for (unsigned i = 0; i < count; i++) {
    compare_rounding(numbers[i]);
    for (unsigned j = 0; j < count; j++) compare_pairs(numbers[i], numbers[j]);
  }
}

static void compare_decimals(void) {
  static const char *decimals[] = {"0", "-0.0", "1.5", " 3.14159x", ".5", "5.", "1e5", "1e+5", "1e-5", "1e", "e5", ".", "123456789012345", "0.1",
                                   "-2.5e10", "00012.500", "1.0e22", "+7"};
  const char *b = "";
  for (unsigned i = 0; i < sizeof decimals / sizeof decimals[0]; i++) {
    const char *a = decimals[i];
    char *end_ours, *end_theirs;
    SAME("strtod", is_same(model_strtod(a, &end_ours), strtod(a, &end_theirs)), 1);
    SAME("strtod's end", end_ours, end_theirs);
    if (strlen(a) < 9 && !strstr(a, "e22")) SAME("strtof", is_same(model_strtof(a, &end_ours), strtof(a, &end_theirs)), 1);
  }
}

#define COMPARE_FORMAT(format, ...)                                                                             \
  do {                                                                                                          \
    const char *a = format, *b = #__VA_ARGS__;                                                                  \
    for (size_t size = 0; size < 40; size += 3) {                                                               \
      char ours[40], theirs[40];                                                                                \
      memset(ours, '#', sizeof ours);                                                                           \
      memset(theirs, '#', sizeof theirs);                                                                       \
      SAME("snprintf", model_snprintf(ours, size, format, __VA_ARGS__), snprintf(theirs, size, format, __VA_ARGS__)); \
      SAME("snprintf's text", memcmp(ours, theirs, sizeof ours), 0);                                            \
    }                                                                                                           \
    char *own, *their;                                                                                          \
    SAME("asprintf", model_asprintf(&own, format, __VA_ARGS__), asprintf(&their, format, __VA_ARGS__));         \
    SAME("asprintf's text", strcmp(own, their), 0);                                                             \
  } while (0)

static void compare_output(void) {
  static const int numbers[] = {0, 1, -1, 42, -1234, 2147483647, -2147483647 - 1, 128, 65537};
  for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    int n = numbers[i];
    COMPARE_FORMAT("<%d|%i|%u>", n, n, n);
    COMPARE_FORMAT("%5d|%-5d|%05d", n, n, n);
    COMPARE_FORMAT("%+d|% d|%+05d", n, n, n);
    COMPARE_FORMAT("%x|%X|%#x|%o|%#o", n, n, n, n, n);
    COMPARE_FORMAT("%.3d|%8.3d|%-8.3d|%.0d", n, n, n, n);
    COMPARE_FORMAT("%hd|%hhd|%hu|%hhu", n, n, n, n);
    COMPARE_FORMAT("%ld|%lu|%zx", (long)n, (long)n, (size_t)n);
    COMPARE_FORMAT("%lld|%llx", n * 4294967297LL, n * 65537LL);
    COMPARE_FORMAT("%*d|%-*d|%.*d", 6, n, 4, n, 2, n);
    COMPARE_FORMAT("%#8x|%-#8x|%#08x", n, n, n);
  }
  COMPARE_FORMAT("%s|%5s|%-5s|%.2s", "abc", "de", "fg", "hij");
  COMPARE_FORMAT("%c%c%%%3c|%-3c|", 'a', 'b', 'c', 'd');
  COMPARE_FORMAT("no conversion%s", "");
}

int main(void) {
  for (int i = 0; i < text_count; i++) {
    for (int j = 0; j < text_count; j++) {
      compare_searches(texts[i], texts[j]);
      compare_copies(texts[i], texts[j]);
    }
  }
  compare_numbers();
  compare_characters();
  compare_sorting();
  compare_input();
  compare_decimals();
  compare_output();
  compare_mathematics();
  printf("the same\n");
  return 0;
}

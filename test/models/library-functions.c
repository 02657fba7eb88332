/* The models of string, memory and number functions against the C library's own, on all small inputs of some kinds.
   Prints the first difference and exits with 1. Stands after native-primitives.h and the linked models. */
#include <ctype.h>
#include <errno.h>
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
  printf("the same\n");
  return 0;
}

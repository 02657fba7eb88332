/* Formatted input. Text that is at hand (sscanf) is read as the C library reads it. Input from outside (scanf, fscanf)
   is anything: each conversion gives any value of its type, or ends the input. What a number that is too large for its
   type gives is undefined in C; here it is what glibc gives. */
#include "constants.h"
#include "primitives.h"

static int __lazuli_is_space(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

static const char *__lazuli_skip_spaces(const char *text) {
  while (__lazuli_is_space(*text)) text++;
  return text;
}

/* Reads what stands between % and the conversion: is it suppressed, its width (0 for none), and the size of its
   number. */
static const char *__lazuli_scan_directive(const char *format, int *suppressed, int *width, int *size) {
  *suppressed = 0;
  *width = 0;
  *size = sizeof(int);
  if (*format == '*') {
    *suppressed = 1;
    format++;
  }
  while (*format >= '0' && *format <= '9') {
    *width = *width * 10 + (*format - '0');
    format++;
  }
  if (*format == 'h') {
    *size = format[1] == 'h' ? 1 : sizeof(short);
    return format[1] == 'h' ? format + 2 : format + 1;
  }
  if (*format == 'l') {
    *size = format[1] == 'l' ? sizeof(long long) : sizeof(long);
    return format[1] == 'l' ? format + 2 : format + 1;
  }
  if (*format == 'j' || *format == 'q') *size = sizeof(long long);
  if (*format == 'z' || *format == 't') *size = sizeof(__SIZE_TYPE__);
  if (*format == 'L') __lazuli_unsupported("input of a long double is not modelled");
  if (*format == 'm') __lazuli_unsupported("input that allocates its memory is not modelled");
  return *format == 'j' || *format == 'q' || *format == 'z' || *format == 't' ? format + 1 : format;
}

/* The end of a set in brackets, behind the closing one; `format` points behind the opening one. */
static const char *__lazuli_scan_set_end(const char *format) {
  if (*format == '^') format++;
  if (*format == ']') format++;
  while (*format && *format != ']') format++;
  return *format ? format + 1 : format;
}

static int __lazuli_scan_set_has(const char *set, char character) {
  int negated = *set == '^';
  int found = 0;
  const char *at = negated ? set + 1 : set;
  do {
    if (at[1] == '-' && at[2] != ']' && at[2]) {
      if ((unsigned char)at[0] <= (unsigned char)character && (unsigned char)character <= (unsigned char)at[2]) found = 1;
      at += 3;
    } else {
      if (*at == character) found = 1;
      at++;
    }
  } while (*at && *at != ']');
  return found != negated;
}

static void __lazuli_scan_store(void *target, int size, unsigned long long value) {
  if (size == 1) {
    *(unsigned char *)target = (unsigned char)value;
  } else if (size == sizeof(short)) {
    *(unsigned short *)target = (unsigned short)value;
  } else if (size == sizeof(int)) {
    *(unsigned int *)target = (unsigned int)value;
  } else {
    *(unsigned long long *)target = value;
  }
}

/* Any value of the type, with no more bits than that. */
static void __lazuli_scan_store_any(void *target, int size) {
  if (size == 1) {
    *(unsigned char *)target = __lazuli_nondet_uchar();
  } else if (size == sizeof(short)) {
    *(unsigned short *)target = __lazuli_nondet_ushort();
  } else if (size == sizeof(int)) {
    *(unsigned int *)target = __lazuli_nondet_uint();
  } else {
    *(unsigned long long *)target = __lazuli_nondet_ulonglong();
  }
}

static int __lazuli_scan_is_number(char conversion) {
  return conversion == 'd' || conversion == 'i' || conversion == 'u' || conversion == 'x' || conversion == 'X' ||
         conversion == 'o';
}

static int __lazuli_scan_is_float(char conversion) {
  return conversion == 'f' || conversion == 'F' || conversion == 'e' || conversion == 'E' || conversion == 'g' ||
         conversion == 'G' || conversion == 'a' || conversion == 'A';
}

static int __lazuli_scan_is_text(char conversion) {
  return conversion == 's' || conversion == 'c' || conversion == '[';
}

/* Any characters that a conversion can take, in any number that the width allows. Members of a set are just not
   null. */
static void __lazuli_scan_any_text(char *target, char conversion, int width) {
  int length = 0;
  if (conversion == 'c') {
    for (int i = 0; i < (width ? width : 1); i++) target[i] = (char)__lazuli_nondet_uchar();
    return;
  }
  do {
    char character = (char)__lazuli_nondet_uchar();
    __lazuli_assume(character && !(conversion == 's' && __lazuli_is_space(character)));
    target[length] = character;
    length++;
  } while ((width == 0 || length < width) && __lazuli_nondet_bool());
  target[length] = 0;
}

/* Whether text of the format matches does not matter by itself: where it does not, the next conversion fails. */
static int __lazuli_scan_input(const char *format, __builtin_va_list arguments) {
  int count = 0;
  while (*format) {
    int suppressed, width, size;
    char conversion;
    if (*format != '%') {
      format++;
      continue;
    }
    format = __lazuli_scan_directive(format + 1, &suppressed, &width, &size);
    conversion = *format;
    format++;
    if (conversion == '%') continue;
    if (conversion == '[') format = __lazuli_scan_set_end(format);
    if (conversion != 'n' && __lazuli_nondet_bool()) return count == 0 && __lazuli_nondet_bool() ? -1 : count;
    if (suppressed) continue;
    void *target = __builtin_va_arg(arguments, void *);
    if (conversion == 'n') {
      __lazuli_scan_store(target, size, __lazuli_nondet_uint() >> 1);
      continue;
    }
    if (__lazuli_scan_is_text(conversion)) {
      __lazuli_scan_any_text(target, conversion, width);
    } else if (__lazuli_scan_is_number(conversion)) {
      __lazuli_scan_store_any(target, size);
    } else if (__lazuli_scan_is_float(conversion)) {
      if (size == sizeof(long) && format[-2] == 'l') {
        *(double *)target = __lazuli_nondet_double();
      } else {
        *(float *)target = __lazuli_nondet_float();
      }
    } else {
      __lazuli_unsupported("a conversion of input that is not modelled");
    }
    count++;
  }
  return count;
}

/* A number at a place of the text, from at most `width` characters; gives the end, which is the place where there is
   none. */
static const char *__lazuli_scan_number(const char *text, char conversion, int width, int size, unsigned long long *value) {
  char part[32];
  char *end;
  int base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  int is_signed = conversion == 'd' || conversion == 'i';
  const char *from = text;
  if (width > 0 && width < 32) {
    int length = 0;
    while (length < width && text[length]) {
      part[length] = text[length];
      length++;
    }
    part[length] = 0;
    from = part;
  }
  if (is_signed && size == sizeof(long long)) {
    *value = (unsigned long long)strtoll(from, &end, base);
  } else if (is_signed) {
    *value = (unsigned long long)strtol(from, &end, base);
  } else if (size == sizeof(long long)) {
    *value = strtoull(from, &end, base);
  } else {
    *value = strtoul(from, &end, base);
  }
  return text + (end - from);
}

/* Characters at a place of the text; gives the end, which is the place where there are none. */
static const char *__lazuli_scan_characters(const char *text, char conversion, int width, const char *set, char *target) {
  int length = 0;
  int most = conversion == 'c' && width == 0 ? 1 : width;
  while (text[length] && (most == 0 || length < most)) {
    if (conversion == 's' && __lazuli_is_space(text[length])) break;
    if (conversion == '[' && !__lazuli_scan_set_has(set, text[length])) break;
    if (target) target[length] = text[length];
    length++;
  }
  if (target && conversion != 'c' && length > 0) target[length] = 0;
  return text + length;
}

static const char *__lazuli_scan_float(const char *text, int width, int is_double, void *target) {
  char *end;
  if (width > 0) __lazuli_unsupported("input of a floating-point number with a width is not modelled");
  if (is_double) {
    double value = strtod(text, &end);
    if (target && end != text) *(double *)target = value;
  } else {
    float value = strtof(text, &end);
    if (target && end != text) *(float *)target = value;
  }
  return end;
}

/* Where the text ends before anything is assigned the result is EOF (glibc: also if something was read and
   suppressed). */
static int __lazuli_scan_text(const char *text, const char *format, __builtin_va_list arguments) {
  const char *at = text;
  int count = 0;
  while (*format) {
    int suppressed, width, size;
    char conversion;
    const char *set;
    const char *end;
    void *target = (void *)0;
    if (__lazuli_is_space(*format)) {
      at = __lazuli_skip_spaces(at);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        at = __lazuli_skip_spaces(at);
      }
      if (*at != *format) return *at || count ? count : -1;
      at++;
      format++;
      continue;
    }
    format = __lazuli_scan_directive(format + 1, &suppressed, &width, &size);
    conversion = *format;
    format++;
    set = format;
    if (conversion == '[') format = __lazuli_scan_set_end(format);
    if (!suppressed) target = __builtin_va_arg(arguments, void *);
    if (conversion == 'n') {
      if (target) __lazuli_scan_store(target, size, (unsigned long long)(at - text));
      continue;
    }
    if (conversion != 'c' && conversion != '[') at = __lazuli_skip_spaces(at);
    if (!*at) return count ? count : -1;
    if (__lazuli_scan_is_text(conversion)) {
      end = __lazuli_scan_characters(at, conversion, width, set, target);
    } else if (__lazuli_scan_is_number(conversion)) {
      unsigned long long value;
      end = __lazuli_scan_number(at, conversion, width, size, &value);
      if (target && end != at) __lazuli_scan_store(target, size, value);
    } else if (__lazuli_scan_is_float(conversion)) {
      end = __lazuli_scan_float(at, width, set[-2] == 'l', target);
    } else {
      __lazuli_unsupported("a conversion of input that is not modelled");
      return count;
    }
    if (end == at) return count;
    at = end;
    if (!suppressed) count++;
  }
  return count;
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_text(text, format, arguments));
}

int vsscanf(const char *restrict text, const char *restrict format, __builtin_va_list arguments) {
  return __lazuli_scan_text(text, format, arguments);
}

int scanf(const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

int vscanf(const char *restrict format, __builtin_va_list arguments) {
  return __lazuli_scan_input(format, arguments);
}

int fscanf(FILE *restrict file, const char *restrict format, ...) {
  (void)file;
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

int vfscanf(FILE *restrict file, const char *restrict format, __builtin_va_list arguments) {
  (void)file;
  return __lazuli_scan_input(format, arguments);
}

/* The names that glibc's headers give to these. */
int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_text(text, format, arguments));
}

int __isoc99_scanf(const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

int __isoc99_fscanf(FILE *restrict file, const char *restrict format, ...) {
  (void)file;
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

int __isoc23_sscanf(const char *restrict text, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_text(text, format, arguments));
}

int __isoc23_scanf(const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

int __isoc23_fscanf(FILE *restrict file, const char *restrict format, ...) {
  (void)file;
  __LAZULI_RETURN_WITH_ARGUMENTS(format, __lazuli_scan_input(format, arguments));
}

/* Texts that are written into memory. Integers, characters and texts are formatted as the C library does it; with other
   conversions (floating point, pointers, %n) the text is anything that fits, and sprintf, which says no size, is
   unsupported. */
#include "constants.h"
#include "primitives.h"

/* Flags of a conversion, as bits. */
#define __LAZULI_LEFT 1
#define __LAZULI_ZEROS 2
#define __LAZULI_PLUS 4
#define __LAZULI_SPACE 8
#define __LAZULI_PREFIX 16

static int __lazuli_format_flag(char character) {
  if (character == '-') return __LAZULI_LEFT;
  if (character == '0') return __LAZULI_ZEROS;
  if (character == '+') return __LAZULI_PLUS;
  if (character == ' ') return __LAZULI_SPACE;
  return character == '#' ? __LAZULI_PREFIX : 0;
}

/* Behind the flags, the width and the precision of a conversion that stands behind %, or behind its length. */
static const char *__lazuli_skip_number(const char *format) {
  while (*format >= '0' && *format <= '9') format++;
  return format;
}

static const char *__lazuli_skip_length(const char *format) {
  while (*format == 'h' || *format == 'l' || *format == 'j' || *format == 'z' || *format == 't' || *format == 'q') format++;
  return format;
}

/* Does the format have only conversions that are computed? */
static int __lazuli_format_is_exact(const char *format) {
  while (*format) {
    if (*format == '%') {
      format++;
      while (__lazuli_format_flag(*format)) format++;
      format = *format == '*' ? format + 1 : __lazuli_skip_number(format);
      if (*format == '.') format = format[1] == '*' ? format + 2 : __lazuli_skip_number(format + 1);
      format = __lazuli_skip_length(format);
      if (*format != 'd' && *format != 'i' && *format != 'u' && *format != 'x' && *format != 'X' && *format != 'o' &&
          *format != 'c' && *format != 's' && *format != '%')
        return 0;
    }
    format++;
  }
  return 1;
}

/* Writes a character where it fits; gives the length with it. */
static __SIZE_TYPE__ __lazuli_put(char *buffer, __SIZE_TYPE__ size, __SIZE_TYPE__ length, char character) {
  if (size != 0 && length < size - 1) buffer[length] = character;
  return length + 1;
}

static __SIZE_TYPE__ __lazuli_put_many(char *buffer, __SIZE_TYPE__ size, __SIZE_TYPE__ length, char character, int count) {
  for (int i = 0; i < count; i++) length = __lazuli_put(buffer, size, length, character);
  return length;
}

static __SIZE_TYPE__ __lazuli_put_text(char *buffer, __SIZE_TYPE__ size, __SIZE_TYPE__ length, const char *text, int flags,
                                       int width, int precision) {
  int count = 0;
  while ((precision < 0 || count < precision) && text[count]) count++;
  if (!(flags & __LAZULI_LEFT)) length = __lazuli_put_many(buffer, size, length, ' ', width - count);
  for (int i = 0; i < count; i++) length = __lazuli_put(buffer, size, length, text[i]);
  return flags & __LAZULI_LEFT ? __lazuli_put_many(buffer, size, length, ' ', width - count) : length;
}

/* The digits from the last one on; as many turns as the largest number has digits, so that no bound cuts them. */
static int __lazuli_digits(char *digits, unsigned long long value, char conversion) {
  unsigned int base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  int count = 0;
  for (int i = 0; i < 22; i++) {
    if (value == 0) break;
    unsigned int digit = (unsigned int)(value % base);
    digits[count] = (char)(digit < 10 ? '0' + digit : (conversion == 'X' ? 'A' : 'a') + digit - 10);
    count++;
    value /= base;
  }
  return count;
}

static __SIZE_TYPE__ __lazuli_put_number(char *buffer, __SIZE_TYPE__ size, __SIZE_TYPE__ length, unsigned long long value,
                                         char sign, char conversion, int flags, int width, int precision) {
  char digits[24];
  int count = __lazuli_digits(digits, value, conversion);
  int has_base = flags & __LAZULI_PREFIX && value != 0 && (conversion == 'x' || conversion == 'X');
  int zeros = (precision < 0 ? 1 : precision) - count;
  int before = (sign != 0) + (has_base ? 2 : 0);
  if (flags & __LAZULI_PREFIX && conversion == 'o' && zeros < 1) zeros = 1;
  if (zeros < 0) zeros = 0;
  if (flags & __LAZULI_ZEROS && !(flags & __LAZULI_LEFT) && precision < 0 && width - before - count > zeros)
    zeros = width - before - count;
  int spaces = width - before - zeros - count;
  if (!(flags & __LAZULI_LEFT)) length = __lazuli_put_many(buffer, size, length, ' ', spaces);
  if (sign) length = __lazuli_put(buffer, size, length, sign);
  if (has_base) {
    length = __lazuli_put(buffer, size, length, '0');
    length = __lazuli_put(buffer, size, length, conversion);
  }
  length = __lazuli_put_many(buffer, size, length, '0', zeros);
  for (int i = count; i > 0; i--) length = __lazuli_put(buffer, size, length, digits[i - 1]);
  return flags & __LAZULI_LEFT ? __lazuli_put_many(buffer, size, length, ' ', spaces) : length;
}

static int __lazuli_format_text(char *buffer, __SIZE_TYPE__ size, const char *format, __builtin_va_list arguments) {
  __SIZE_TYPE__ length = 0;
  while (*format) {
    int flags = 0, width = 0, precision = -1;
    if (*format != '%') {
      length = __lazuli_put(buffer, size, length, *format);
      format++;
      continue;
    }
    format++;
    while (__lazuli_format_flag(*format)) {
      flags |= __lazuli_format_flag(*format);
      format++;
    }
    if (*format == '*') {
      width = __builtin_va_arg(arguments, int);
      if (width < 0) {
        flags |= __LAZULI_LEFT;
        width = -width;
      }
      format++;
    } else {
      while (*format >= '0' && *format <= '9') {
        width = width * 10 + (*format - '0');
        format++;
      }
    }
    if (*format == '.') {
      format++;
      precision = 0;
      if (*format == '*') {
        precision = __builtin_va_arg(arguments, int);
        format++;
      } else {
        while (*format >= '0' && *format <= '9') {
          precision = precision * 10 + (*format - '0');
          format++;
        }
      }
    }
    const char *kind = __lazuli_skip_length(format);
    int is_long_long = kind - format == 2 && *format == 'l';
    int is_wide = is_long_long || *format == 'j' || *format == 'q' || (sizeof(long) == 8 && *format == 'l') ||
                  (sizeof(long) == 8 && (*format == 'z' || *format == 't'));
    int narrow = *format == 'h' ? (int)(kind - format) : 0;
    char conversion = *kind;
    format = kind + 1;
    if (conversion == '%') {
      length = __lazuli_put(buffer, size, length, '%');
    } else if (conversion == 's') {
      length = __lazuli_put_text(buffer, size, length, __builtin_va_arg(arguments, const char *), flags, width, precision);
    } else if (conversion == 'c') {
      char character = (char)__builtin_va_arg(arguments, int);
      if (!(flags & __LAZULI_LEFT)) length = __lazuli_put_many(buffer, size, length, ' ', width - 1);
      length = __lazuli_put(buffer, size, length, character);
      if (flags & __LAZULI_LEFT) length = __lazuli_put_many(buffer, size, length, ' ', width - 1);
    } else if (conversion == 'd' || conversion == 'i') {
      long long value = is_wide ? __builtin_va_arg(arguments, long long) : (long long)__builtin_va_arg(arguments, int);
      if (narrow == 1) value = (short)value;
      if (narrow == 2) value = (signed char)value;
      char sign = value < 0 ? '-' : flags & __LAZULI_PLUS ? '+' : flags & __LAZULI_SPACE ? ' ' : 0;
      unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
      length = __lazuli_put_number(buffer, size, length, magnitude, sign, conversion, flags, width, precision);
    } else {
      unsigned long long value =
          is_wide ? __builtin_va_arg(arguments, unsigned long long) : __builtin_va_arg(arguments, unsigned int);
      if (narrow == 1) value = (unsigned short)value;
      if (narrow == 2) value = (unsigned char)value;
      length = __lazuli_put_number(buffer, size, length, value, 0, conversion, flags, width, precision);
    }
  }
  if (size != 0) buffer[length < size ? length : size - 1] = 0;
  return (int)length;
}

/* Any text that fits. The result says how long the whole text would be: what is written ends there, or at the size. */
static int __lazuli_format_any(char *buffer, __SIZE_TYPE__ size) {
  int length = (int)(__lazuli_nondet_uint() >> 1);
  if (size != 0) {
    __lazuli_write_any_string(buffer, size);
    if ((__SIZE_TYPE__)length < size) buffer[length] = 0;
  }
  return length;
}

int vsnprintf(char *restrict buffer, __SIZE_TYPE__ size, const char *restrict format, __builtin_va_list arguments) {
  if (!__lazuli_format_is_exact(format)) return __lazuli_format_any(buffer, size);
  return __lazuli_format_text(buffer, size, format, arguments);
}

int snprintf(char *restrict buffer, __SIZE_TYPE__ size, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, vsnprintf(buffer, size, format, arguments));
}

int vsprintf(char *restrict buffer, const char *restrict format, __builtin_va_list arguments) {
  if (!__lazuli_format_is_exact(format))
    __lazuli_unsupported("sprintf of floating-point numbers or pointers: how much it writes is unknown; snprintf is modelled");
  return __lazuli_format_text(buffer, (__SIZE_TYPE__)-1, format, arguments);
}

int sprintf(char *restrict buffer, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, vsprintf(buffer, format, arguments));
}

/* The text is formatted twice: the first time tells how much memory it takes. */
int vasprintf(char **restrict text, const char *restrict format, __builtin_va_list arguments) {
  __builtin_va_list again;
  if (!__lazuli_format_is_exact(format))
    __lazuli_unsupported("asprintf of floating-point numbers or pointers: how much it writes is unknown");
  __builtin_va_copy(again, arguments);
  *text = malloc((__SIZE_TYPE__)__lazuli_format_text((char *)0, 0, format, again) + 1);
  __builtin_va_end(again);
  if (!*text) return -1;
  return __lazuli_format_text(*text, (__SIZE_TYPE__)-1, format, arguments);
}

int asprintf(char **restrict text, const char *restrict format, ...) {
  __LAZULI_RETURN_WITH_ARGUMENTS(format, vasprintf(text, format, arguments));
}

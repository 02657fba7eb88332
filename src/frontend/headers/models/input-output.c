/* Output has no effect, input is anything. */
#include "constants.h"
#include "primitives.h"

/* The number of characters that an output function wrote, or a failure. An assumption would be a place to wait at. */
static int __lazuli_output_result(void) {
  int result = __lazuli_nondet_int();
  return result < -1 ? -1 : result;
}

int printf(const char *restrict format, ...) {
  (void)format;
  return __lazuli_output_result();
}

int vprintf(const char *restrict format, __builtin_va_list arguments) {
  (void)format;
  (void)arguments;
  return __lazuli_output_result();
}

int fprintf(FILE *restrict file, const char *restrict format, ...) {
  (void)file;
  (void)format;
  return __lazuli_output_result();
}

int vfprintf(FILE *restrict file, const char *restrict format, __builtin_va_list arguments) {
  (void)file;
  (void)format;
  (void)arguments;
  return __lazuli_output_result();
}

int dprintf(int file, const char *restrict format, ...) {
  (void)file;
  (void)format;
  return __lazuli_output_result();
}

int puts(const char *text) {
  (void)text;
  return __lazuli_output_result();
}

int fputs(const char *restrict text, FILE *restrict file) {
  (void)text;
  (void)file;
  return __lazuli_output_result();
}

int putchar(int character) {
  return __lazuli_nondet_bool() ? (int)(unsigned char)character : -1;
}

int putc(int character, FILE *file) {
  (void)file;
  return __lazuli_nondet_bool() ? (int)(unsigned char)character : -1;
}

int fputc(int character, FILE *file) {
  (void)file;
  return __lazuli_nondet_bool() ? (int)(unsigned char)character : -1;
}

__SIZE_TYPE__ fwrite(const void *restrict data, __SIZE_TYPE__ size, __SIZE_TYPE__ count, FILE *restrict file) {
  __SIZE_TYPE__ written = __lazuli_nondet_ulong();
  (void)data;
  (void)size;
  (void)file;
  return written > count ? count : written;
}

void perror(const char *text) {
  (void)text;
}

int fflush(FILE *file) {
  (void)file;
  return __lazuli_nondet_bool() ? -1 : 0;
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, __SIZE_TYPE__ size) {
  (void)file;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}

void setbuf(FILE *restrict file, char *restrict buffer) {
  (void)file;
  (void)buffer;
}

void flockfile(FILE *file) {
  (void)file;
}

void funlockfile(FILE *file) {
  (void)file;
}

static int __lazuli_input_character(void) {
  return __lazuli_nondet_bool() ? -1 : (int)__lazuli_nondet_uchar();
}

int getchar(void) {
  return __lazuli_input_character();
}

int getc(FILE *file) {
  (void)file;
  return __lazuli_input_character();
}

int fgetc(FILE *file) {
  (void)file;
  return __lazuli_input_character();
}

char *fgets(char *restrict buffer, int size, FILE *restrict file) {
  (void)file;
  if (size <= 0 || __lazuli_nondet_bool()) return (char *)0;
  __lazuli_write_any_string(buffer, (__SIZE_TYPE__)size);
  return buffer;
}

__SIZE_TYPE__ fread(void *restrict data, __SIZE_TYPE__ size, __SIZE_TYPE__ count, FILE *restrict file) {
  unsigned char *bytes = data;
  __SIZE_TYPE__ items = __lazuli_nondet_ulong();
  (void)file;
  __lazuli_assume(items <= count);
  for (__SIZE_TYPE__ i = 0; i < size * count; i++) {
    if (i < size * items) bytes[i] = __lazuli_nondet_uchar();
  }
  return items;
}

ssize_t read(int file, void *buffer, __SIZE_TYPE__ size) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  unsigned char *bytes = buffer;
  ssize_t count = (ssize_t)__lazuli_nondet_long();
  (void)file;
  __lazuli_assume(count >= -1 && (count < 0 || (__SIZE_TYPE__)count <= size));
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    if (count > 0 && i < (__SIZE_TYPE__)count) bytes[i] = __lazuli_nondet_uchar();
  }
  return count;
}

ssize_t write(int file, const void *buffer, __SIZE_TYPE__ size) {
  __LAZULI_WHEN(pthread_cancel) __lazuli_cancellation_point();
  ssize_t count = (ssize_t)__lazuli_nondet_long();
  (void)file;
  (void)buffer;
  __lazuli_assume(count >= -1 && (count < 0 || (__SIZE_TYPE__)count <= size));
  return count;
}

void warn(const char *format, ...) {
  (void)format;
}

void warnx(const char *format, ...) {
  (void)format;
}

void err(int status, const char *format, ...) {
  (void)format;
  exit(status);
}

void errx(int status, const char *format, ...) {
  (void)format;
  exit(status);
}

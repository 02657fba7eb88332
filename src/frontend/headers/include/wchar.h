/* C11 7.29: wide characters, the common part. */
#ifndef _WCHAR_H
#define _WCHAR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef __WINT_TYPE__ wint_t;
typedef struct {
  int __count;
  unsigned int __value;
} mbstate_t;

#ifndef WCHAR_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-WCHAR_MAX - 1)
#endif
#define WEOF (0xffffffffu)

struct tm;

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size);
wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t size);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size);
wchar_t *wmemset(wchar_t *memory, wchar_t character, size_t size);
size_t mbrtowc(wchar_t *restrict result, const char *restrict text, size_t size, mbstate_t *restrict state);
size_t wcrtomb(char *restrict result, wchar_t character, mbstate_t *restrict state);
int wprintf(const wchar_t *restrict format, ...);
int fwprintf(FILE *restrict file, const wchar_t *restrict format, ...);
int swprintf(wchar_t *restrict buffer, size_t size, const wchar_t *restrict format, ...);
wint_t fgetwc(FILE *file);
wint_t fputwc(wchar_t character, FILE *file);

#endif

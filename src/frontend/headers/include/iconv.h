/* POSIX: conversions of texts. */
#ifndef _ICONV_H
#define _ICONV_H

#include <stddef.h>

typedef void *iconv_t;

iconv_t iconv_open(const char *to, const char *from);
size_t iconv(iconv_t conversion, char **restrict input, size_t *restrict input_size, char **restrict output,
             size_t *restrict output_size);
int iconv_close(iconv_t conversion);

#endif

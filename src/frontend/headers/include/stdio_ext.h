/* GNU: the inside of streams. */
#ifndef _STDIO_EXT_H
#define _STDIO_EXT_H

#include <stdio.h>

#define FSETLOCKING_QUERY 0
#define FSETLOCKING_INTERNAL 1
#define FSETLOCKING_BYCALLER 2

int __fsetlocking(FILE *stream, int type);
size_t __fbufsize(FILE *stream);
size_t __fpending(FILE *stream);
int __freading(FILE *stream);
int __fwriting(FILE *stream);
void __fpurge(FILE *stream);

#endif

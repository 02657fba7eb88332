/* POSIX: more on strings. */
#ifndef _STRINGS_H
#define _STRINGS_H

#include <stddef.h>

int bcmp(const void *left, const void *right, size_t size);
void bcopy(const void *from, void *to, size_t size);
void bzero(void *memory, size_t size);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
char *index(const char *text, int character);
char *rindex(const char *text, int character);
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t size);

#endif

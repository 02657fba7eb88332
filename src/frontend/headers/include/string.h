/* C11 7.24 and POSIX: strings and memory. */
#ifndef _STRING_H
#define _STRING_H

#include <stddef.h>
#include <strings.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *mempcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memccpy(void *restrict to, const void *restrict from, int character, size_t size);
void *memset(void *memory, int character, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *memory, int character, size_t size);
void *memrchr(const void *memory, int character, size_t size);
void *memmem(const void *memory, size_t size, const void *part, size_t part_size);
void explicit_bzero(void *memory, size_t size);

char *strcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t size);
char *stpcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t size);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t size);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *restrict to, const char *restrict from, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t size);
char *strchr(const char *text, int character);
char *strchrnul(const char *text, int character);
char *strrchr(const char *text, int character);
char *strstr(const char *text, const char *part);
char *strcasestr(const char *text, const char *part);
char *strpbrk(const char *text, const char *accept);
size_t strspn(const char *text, const char *accept);
size_t strcspn(const char *text, const char *reject);
char *strtok(char *restrict text, const char *restrict delimiters);
char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state);
char *strsep(char **restrict text, const char *restrict delimiters);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
char *strerror(int number);
char *strsignal(int number);

#endif

/* POSIX: names of files by patterns. */
#ifndef _GLOB_H
#define _GLOB_H

#include <stddef.h>

typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
  int gl_flags;
  void (*gl_closedir)(void *);
  void *(*gl_readdir)(void *);
  void *(*gl_opendir)(const char *);
  int (*gl_lstat)(const char *, void *);
  int (*gl_stat)(const char *, void *);
} glob_t;

#define GLOB_ERR 1
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_MARK 2
#define GLOB_NOMATCH 3
#define GLOB_NOSORT 4
#define GLOB_NOSYS 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOESCAPE 64
#define GLOB_PERIOD 128
#define GLOB_BRACE 0x400
#define GLOB_NOMAGIC 0x800
#define GLOB_TILDE 0x1000
#define GLOB_ONLYDIR 0x2000
#define GLOB_TILDE_CHECK 0x4000
int glob(const char *restrict pattern, int flags, int (*error)(const char *, int), glob_t *restrict result);
void globfree(glob_t *result);

#endif

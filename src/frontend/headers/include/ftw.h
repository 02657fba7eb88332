/* POSIX: walks through trees of files. */
#ifndef _FTW_H
#define _FTW_H

#include <sys/stat.h>
#include <sys/types.h>

#define FTW_F 0
#define FTW_D 1
#define FTW_DNR 2
#define FTW_NS 3
#define FTW_SL 4
#define FTW_DP 5
#define FTW_SLN 6
#define FTW_PHYS 1
#define FTW_MOUNT 2
#define FTW_CHDIR 4
#define FTW_DEPTH 8
#define FTW_ACTIONRETVAL 16
#define FTW_CONTINUE 0
#define FTW_STOP 1
#define FTW_SKIP_SUBTREE 2
#define FTW_SKIP_SIBLINGS 3

struct FTW {
  int base;
  int level;
};

int ftw(const char *path, int (*visit)(const char *, const struct stat *, int), int files);
int nftw(const char *path, int (*visit)(const char *, const struct stat *, int, struct FTW *), int files, int flags);

#endif

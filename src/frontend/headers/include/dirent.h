/* POSIX: directories. */
#ifndef _DIRENT_H
#define _DIRENT_H

#include <sys/types.h>

typedef struct __lazuli_directory DIR;

struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14

DIR *opendir(const char *path);
DIR *fdopendir(int file);
struct dirent *readdir(DIR *directory);
int readdir_r(DIR *restrict directory, struct dirent *restrict entry, struct dirent **restrict result);
int closedir(DIR *directory);
void rewinddir(DIR *directory);
void seekdir(DIR *directory, long place);
long telldir(DIR *directory);
int dirfd(DIR *directory);
int scandir(const char *path, struct dirent ***names, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **left, const struct dirent **right);
int versionsort(const struct dirent **left, const struct dirent **right);

#endif

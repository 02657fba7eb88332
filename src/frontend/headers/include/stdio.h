/* C11 7.21 and POSIX: input and output. A FILE is opaque. */
#ifndef _STDIO_H
#define _STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct _IO_FILE FILE;
typedef struct {
  long __position;
} fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

int printf(const char *restrict format, ...) __attribute__((__format__(__printf__, 1, 2)));
int fprintf(FILE *restrict file, const char *restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int dprintf(int file, const char *restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int sprintf(char *restrict buffer, const char *restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int snprintf(char *restrict buffer, size_t size, const char *restrict format, ...)
    __attribute__((__format__(__printf__, 3, 4)));
int asprintf(char **restrict result, const char *restrict format, ...) __attribute__((__format__(__printf__, 2, 3)));
int vprintf(const char *restrict format, va_list arguments);
int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments);
int vdprintf(int file, const char *restrict format, va_list arguments);
int vsprintf(char *restrict buffer, const char *restrict format, va_list arguments);
int vsnprintf(char *restrict buffer, size_t size, const char *restrict format, va_list arguments);
int vasprintf(char **restrict result, const char *restrict format, va_list arguments);
int scanf(const char *restrict format, ...) __attribute__((__format__(__scanf__, 1, 2)));
int fscanf(FILE *restrict file, const char *restrict format, ...) __attribute__((__format__(__scanf__, 2, 3)));
int sscanf(const char *restrict text, const char *restrict format, ...) __attribute__((__format__(__scanf__, 2, 3)));
int vscanf(const char *restrict format, va_list arguments);
int vfscanf(FILE *restrict file, const char *restrict format, va_list arguments);
int vsscanf(const char *restrict text, const char *restrict format, va_list arguments);

int putchar(int character);
int putchar_unlocked(int character);
int putc(int character, FILE *file);
int fputc(int character, FILE *file);
int puts(const char *text);
int fputs(const char *restrict text, FILE *restrict file);
size_t fwrite(const void *restrict data, size_t size, size_t count, FILE *restrict file);
void perror(const char *text);
int getchar(void);
int getchar_unlocked(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int character, FILE *file);
char *fgets(char *restrict buffer, int size, FILE *restrict file);
size_t fread(void *restrict data, size_t size, size_t count, FILE *restrict file);
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file);
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict file);

FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file);
FILE *tmpfile(void);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fclose(FILE *file);
int fflush(FILE *file);
void setbuf(FILE *restrict file, char *restrict buffer);
int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size);
void setlinebuf(FILE *file);
int fseek(FILE *file, long offset, int whence);
int fseeko(FILE *file, off_t offset, int whence);
long ftell(FILE *file);
off_t ftello(FILE *file);
void rewind(FILE *file);
int fgetpos(FILE *restrict file, fpos_t *restrict position);
int fsetpos(FILE *file, const fpos_t *position);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
int fileno(FILE *file);
void flockfile(FILE *file);
int ftrylockfile(FILE *file);
void funlockfile(FILE *file);
int remove(const char *path);
int rename(const char *from, const char *to);

#endif

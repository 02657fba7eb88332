/* POSIX: symbolic constants and system calls. */
#ifndef _UNISTD_H
#define _UNISTD_H

#include <getopt.h>
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_TIMEOUTS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85

extern char **environ;

unsigned int alarm(unsigned int seconds);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
int pause(void);
_Noreturn void _exit(int status);
ssize_t read(int file, void *buffer, size_t size);
ssize_t write(int file, const void *buffer, size_t size);
ssize_t pread(int file, void *buffer, size_t size, off_t offset);
ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset);
off_t lseek(int file, off_t offset, int whence);
int close(int file);
int dup(int file);
int dup2(int file, int target);
int pipe(int files[2]);
int access(const char *path, int mode);
int chdir(const char *path);
char *getcwd(char *buffer, size_t size);
int unlink(const char *path);
int rmdir(const char *path);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size);
int fsync(int file);
int fdatasync(int file);
int ftruncate(int file, off_t size);
int truncate(const char *path, off_t size);
int isatty(int file);
int lockf(int file, int command, off_t size);
pid_t fork(void);
pid_t vfork(void);
int execv(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execvp(const char *file, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execle(const char *path, const char *argument, ...);
int execvpe(const char *file, char *const arguments[], char *const environment[]);
int fexecve(int file, char *const arguments[], char *const environment[]);
pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int setgid(gid_t group);
long sysconf(int name);
int getpagesize(void);
int gethostname(char *name, size_t size);
void *sbrk(intptr_t increment);
long syscall(long number, ...);

#endif

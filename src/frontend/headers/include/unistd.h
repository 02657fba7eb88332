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

#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_NGROUPS_MAX 3
#define _SC_IOV_MAX 60
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_THREAD_STACK_MIN 75
#define _SC_THREAD_THREADS_MAX 76
#define _SC_AVPHYS_PAGES 86
#define _SC_LINE_MAX 43
#define _SC_HOST_NAME_MAX 180
#define _SC_MONOTONIC_CLOCK 149
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#define _XOPEN_VERSION 700

int pipe2(int files[2], int flags);
int dup3(int file, int target, int flags);
int chown(const char *path, uid_t owner, gid_t group);
int fchown(int file, uid_t owner, gid_t group);
int lchown(const char *path, uid_t owner, gid_t group);
int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags);
int fchdir(int file);
int chroot(const char *path);
int faccessat(int folder, const char *path, int mode, int flags);
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int symlinkat(const char *from, int folder, const char *to);
int unlinkat(int folder, const char *path, int flags);
ssize_t readlinkat(int folder, const char *restrict path, char *restrict buffer, size_t size);
int nice(int increment);
void sync(void);
int syncfs(int file);
int daemon(int stays, int keeps);
char *getlogin(void);
int getlogin_r(char *name, size_t size);
char *getpass(const char *prompt);
char *ttyname(int file);
int ttyname_r(int file, char *name, size_t size);
pid_t getpgrp(void);
pid_t getpgid(pid_t process);
int setpgid(pid_t process, pid_t group);
int setpgrp(void);
pid_t getsid(pid_t process);
pid_t tcgetpgrp(int file);
int tcsetpgrp(int file, pid_t group);
int getgroups(int count, gid_t groups[]);
int setreuid(uid_t real, uid_t effective);
int setregid(gid_t real, gid_t effective);
int seteuid(uid_t user);
int setegid(gid_t group);
int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
int getresgid(gid_t *real, gid_t *effective, gid_t *saved);
int setresuid(uid_t real, uid_t effective, uid_t saved);
int setresgid(gid_t real, gid_t effective, gid_t saved);
long pathconf(const char *path, int name);
long fpathconf(int file, int name);
size_t confstr(int name, char *buffer, size_t size);
int sethostname(const char *name, size_t size);
int getdomainname(char *name, size_t size);
long gethostid(void);
int getdtablesize(void);
void swab(const void *restrict from, void *restrict to, ssize_t count);
int brk(void *address);
unsigned int ualarm(useconds_t microseconds, useconds_t interval);
char *get_current_dir_name(void);
int getentropy(void *buffer, size_t size);
ssize_t copy_file_range(int source, off64_t *source_offset, int target, off64_t *target_offset, size_t size,
                        unsigned int flags);
char *crypt(const char *key, const char *salt);

#endif

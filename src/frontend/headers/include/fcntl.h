/* POSIX: file control. */
#ifndef _FCNTL_H
#define _FCNTL_H

#include <sys/types.h>

#define O_ACCMODE 3
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_SYNC 04010000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define FD_CLOEXEC 1
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define AT_FDCWD (-100)

struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};

int open(const char *path, int flags, ...);
int openat(int folder, const char *path, int flags, ...);
int creat(const char *path, mode_t mode);
int fcntl(int file, int command, ...);

#define AT_STATX_SYNC_AS_STAT 0
#define POSIX_FADV_NORMAL 0
#define FALLOC_FL_KEEP_SIZE 1
#define F_SEAL_SEAL 1
#define POSIX_FADV_RANDOM 1
#define SPLICE_F_MOVE 1
#define FALLOC_FL_PUNCH_HOLE 2
#define F_SEAL_SHRINK 2
#define POSIX_FADV_SEQUENTIAL 2
#define SPLICE_F_NONBLOCK 2
#define POSIX_FADV_WILLNEED 3
#define FALLOC_FL_NO_HIDE_STALE 4
#define F_SEAL_GROW 4
#define POSIX_FADV_DONTNEED 4
#define SPLICE_F_MORE 4
#define POSIX_FADV_NOREUSE 5
#define FALLOC_FL_COLLAPSE_RANGE 8
#define F_SEAL_WRITE 8
#define F_SETOWN 8
#define SPLICE_F_GIFT 8
#define F_GETOWN 9
#define F_SETSIG 10
#define F_GETSIG 11
#define FALLOC_FL_ZERO_RANGE 16
#define FALLOC_FL_INSERT_RANGE 32
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define FALLOC_FL_UNSHARE_RANGE 64
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_EACCESS 0x200
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define F_SETLEASE 0x400
#define F_GETLEASE 0x401
#define F_NOTIFY 0x402
#define F_DUPFD_CLOEXEC 1030
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 0x408
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define AT_NO_AUTOMOUNT 0x800
#define AT_EMPTY_PATH 0x1000
#define AT_STATX_FORCE_SYNC 0x2000
#define O_ASYNC 0x2000
#define AT_STATX_DONT_SYNC 0x4000
#define O_DIRECT 0x4000
#define AT_STATX_SYNC_TYPE 0x6000
#define AT_RECURSIVE 0x8000
#define O_NOATIME 0x40000
#define O_RSYNC 0x101000
#define O_PATH 0x200000
#define O_TMPFILE 0x410000
int posix_fadvise(int file, off_t offset, off_t size, int advice);
int posix_fallocate(int file, off_t offset, off_t size);
int fallocate(int file, int mode, off_t offset, off_t size);
ssize_t readahead(int file, off64_t offset, size_t count);
ssize_t splice(int source, off64_t *source_offset, int target, off64_t *target_offset, size_t size, unsigned int flags);
ssize_t tee(int source, int target, size_t size, unsigned int flags);

#endif

/* Reading and writing of several pieces. */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <sys/types.h>

struct iovec {
  void *iov_base;
  size_t iov_len;
};

#define UIO_MAXIOV 1024

ssize_t readv(int file, const struct iovec *pieces, int count);
ssize_t writev(int file, const struct iovec *pieces, int count);
ssize_t preadv(int file, const struct iovec *pieces, int count, off_t offset);
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset);

#endif

/* Linux: copies between files. */
#ifndef _SYS_SENDFILE_H
#define _SYS_SENDFILE_H

#include <sys/types.h>

ssize_t sendfile(int target, int source, off_t *offset, size_t count);

#endif

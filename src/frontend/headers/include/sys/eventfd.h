/* Linux: files that count events. */
#ifndef _SYS_EVENTFD_H
#define _SYS_EVENTFD_H

#include <stdint.h>

typedef uint64_t eventfd_t;

#define EFD_SEMAPHORE 1
#define EFD_CLOEXEC 02000000
#define EFD_NONBLOCK 04000

int eventfd(unsigned int count, int flags);
int eventfd_read(int file, eventfd_t *value);
int eventfd_write(int file, eventfd_t value);

#endif

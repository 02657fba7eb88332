/* Limits of Linux. */
#ifndef _LINUX_LIMITS_H
#define _LINUX_LIMITS_H

#ifndef NAME_MAX
#define NAME_MAX 255
#endif
#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef PIPE_BUF
#define PIPE_BUF 4096
#endif

#endif

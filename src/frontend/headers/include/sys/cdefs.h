/* Macros of the C library's own headers. */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H

#include <features.h>

#define __P(parameters) parameters
#define __CONCAT(left, right) left##right
#define __STRING(text) #text

#endif

/* Numbers of devices. */
#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H

#include <sys/types.h>

#define major(device) ((unsigned int)((((device) >> 8) & 0xfff) | (((device) >> 32) & ~0xfffu)))
#define minor(device) ((unsigned int)(((device)&0xff) | (((device) >> 12) & ~0xffu)))

#endif

/* Allocation: what stdlib.h declares, and glibc's additions. */
#ifndef _MALLOC_H
#define _MALLOC_H

#include <stdio.h>
#include <stdlib.h>

size_t malloc_usable_size(void *memory);
int malloc_trim(size_t padding);

#endif

/* Of the intrinsics of x86, those that order or delay: spin loops have them. There are no vectors. */
#ifndef _IMMINTRIN_H
#define _IMMINTRIN_H

#include <emmintrin.h>

#endif

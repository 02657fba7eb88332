/* Of the intrinsics of x86, those that order or delay: spin loops have them. There are no vectors. */
#ifndef _EMMINTRIN_H
#define _EMMINTRIN_H

#include <xmmintrin.h>

#define _mm_lfence() __builtin_ia32_lfence()
#define _mm_mfence() __builtin_ia32_mfence()

#endif

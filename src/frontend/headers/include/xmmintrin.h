/* Of the intrinsics of x86, those that order or delay: spin loops have them. There are no vectors. */
#ifndef _XMMINTRIN_H
#define _XMMINTRIN_H

#define _mm_pause() __builtin_ia32_pause()
#define _mm_sfence() __builtin_ia32_sfence()

#endif

/* Of the intrinsics of x86, those that order or delay: spin loops have them. There are no vectors. */
#ifndef _X86INTRIN_H
#define _X86INTRIN_H

#include <emmintrin.h>

#endif

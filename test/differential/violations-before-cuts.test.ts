// What happens before a cut counts, whatever comes after it, in that thread and in others; nothing after a cut or a
// failed assumption does. Without concrete runs, which know no cuts.

import { describe, expect, it } from 'vitest';
import { type CheckTextOptions, checkText } from '../support/check-text.ts';

const BOUNDS = { unwind: 2, rounds: 2, explore: false } as const;
/** Holds for one value, which no concrete run guesses. */
const RARE = 'unsigned k = __VERIFIER_nondet_uint(); int rare = k * 2654435761u == 12345u;';

type Case = readonly [name: string, program: string, options?: CheckTextOptions];

const LOST: readonly Case[] = [
  ['the error loop of the competition', `int main(void) { ${RARE} if (rare) { ERROR: goto ERROR; } return 0; }`],
  ['an assertion before a loop without end', `int main(void) { ${RARE} assert(!rare); for (;;); }`],
  ['a division by zero before it', `int main(void) { ${RARE} int d = 1 / (1 - rare); for (;;) d++; }`],
  [
    'an assertion before recursion without end',
    `int f(int n) { return f(n + 1); } int main(void) { ${RARE} assert(!rare); return f(0); }`,
  ],
  [
    'an assertion before many turns',
    `int main(void) { ${RARE} assert(!rare); int d = 0; for (int i = 0; i < 2000000; i++) d++; return d; }`,
  ],
  [
    'the last of several assertions in a step',
    `int main(void) { ${RARE} assert(k < 4000000000u || !rare); assert(!rare); for (;;); }`,
  ],
  [
    'a write outside of an array, in a loop of a thread',
    `void *f(void *p) { ${RARE} int a[3] = {0}; for (;;) if (rare) a[3 + (k & 1)] = 1; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }`,
  ],
  [
    'a race before a loop without end',
    `int x;
     void *f(void *p) { x = 1; x = 0; return 0; }
     void *g(void *p) { int d = 100 / (1 - x); for (;;) d++; }
     int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); return 0; }`,
  ],
  [
    'what another thread does before it is cut',
    `int x;
     void *f(void *p) { x = 1; for (;;); }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }`,
  ],
  [
    'a double unlock in a loop that is cut',
    'pthread_mutex_t m[3]; int main(void) { for (int i = 0; i < 3; i++) pthread_mutex_unlock(&m[i]); return 0; }',
    { unwindConstantLoops: false },
  ],
  [
    'a double join in a loop that is cut',
    `void *f(void *p) { return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (int i = 0; i < 3; i++) pthread_join(t, 0); return 0; }`,
    { unwindConstantLoops: false },
  ],
  [
    'an assertion in an atomic section, before a loop in it',
    `int x;
     void *f(void *p) { __VERIFIER_atomic_begin(); assert(x == 0); x = 2; for (;;); }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }`,
  ],
];

const UNREACHED: readonly Case[] = [
  ['an assertion behind a loop that is cut', 'int main(void) { for (int i = 0; i < 9; i++); assert(0); return 0; }'],
  ['an assertion behind a failed assumption', 'int main(void) { __VERIFIER_assume(0); assert(0); return 0; }'],
  [
    'the end of a thread that is cut',
    `int x;
     void *f(void *p) { for (int i = 0; i < 9; i++) x = i; return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(0); return 0; }`,
  ],
  [
    'what a thread does in an atomic section that is cut',
    `int x;
     void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; for (int i = 0; i < 9; i++); __VERIFIER_atomic_end(); return 0; }
     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }`,
  ],
];

const text = (program: string) => `#include <assert.h>\n#include <pthread.h>\n${program}\n`;

describe('a violation before a cut is found', () => {
  for (const [name, program, options] of LOST)
    it(name, async () => {
      const outcome = await checkText(text(program), { ...BOUNDS, ...options });
      expect(outcome.kind).toBe('unsafe');
    });
});

describe('nothing behind a cut or a failed assumption is found', () => {
  for (const [name, program, options] of UNREACHED)
    it(name, async () => {
      const outcome = await checkText(text(program), { ...BOUNDS, unwindConstantLoops: false, ...options });
      expect(outcome.kind).not.toBe('unsafe');
    });
});

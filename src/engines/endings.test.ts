// A verdict without a violation says so where no execution ends: nothing that comes after was looked at.

import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *quick(void *p) { x = 1; return 0; }
void *stuck(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
`;

async function endingOf(main: string): Promise<unknown> {
  const outcome = await checkText(`${HEAD}int main(void) { pthread_t t; ${main} }`, { unwind: 2, rounds: 3 });
  return 'ending' in outcome ? outcome.ending : outcome.kind;
}

const create = (routine: string) => `pthread_create(&t, 0, ${routine}, 0);`;

describe('no execution ends', () => {
  it.each([
    ['never', 'for (;;) ;'],
    ['never', '__VERIFIER_assume(x); return 0;'],
    ['not-within-bounds', `${create('quick')} assert(x < 2); while (1) x = 1;`],
    ['not-within-bounds', 'while (x < 1000000) x++; return 0;'],
  ])('%s: %s', async (ending, main) => expect(await endingOf(main)).toBe(ending));

  it('when all threads are stuck, and nobody looks for deadlocks', async () => {
    for (const main of [
      'pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0;',
      `${create('stuck')} pthread_join(t, 0); return 0;`,
    ]) {
      const text = `${HEAD}int main(void) { pthread_t t; ${main} }`;
      const without = await checkText(text, { unwind: 2, rounds: 6, withoutChecks: ['deadlock'] });
      expect(without).toMatchObject({ kind: expect.stringMatching(/^safe|bounded$/), ending: expect.any(String) });
      expect(await checkText(text, { unwind: 2, rounds: 6 })).toMatchObject({
        kind: 'unsafe',
        trace: { violation: { check: 'deadlock' } },
      });
    }
  });
});

describe('some execution ends', () => {
  it.each([
    'return 0;',
    `${create('quick')} return 0;`,
    `${create('quick')} pthread_exit(0);`,
    `${create('stuck')} exit(0);`,
    'if (x) for (;;) ; return 0;',
    'for (;;) if (x++ == 1) exit(1);',
    'for (int i = 0; i < 50; i++) x++; return 0;',
  ])('%s', async (main) => expect(await endingOf(main)).not.toMatch(/never|bounds/));
});

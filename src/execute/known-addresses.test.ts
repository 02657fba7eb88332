/** Addresses that could be anything: what is known of them, and that nothing is believed of the rest. */

import { describe, expect, it } from 'vitest';
import { checkText, violatedCheck } from '../../test/support/check-text.ts';

/** The check that is violated (after a replay), or the kind of the answer; by the solver alone. */
async function answer(body: string): Promise<string> {
  const head =
    '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nunsigned long __VERIFIER_nondet_ulong(void);\n';
  const outcome = await checkText(head + body, { unwind: 2, rounds: 2 });
  return violatedCheck(outcome);
}

describe('an address that could be anything', () => {
  it('is followed to what was stored', async () => {
    const body = (assertion: string) => `
      int one = 1, two = 2;
      struct box { int *content; } *box;
      void *fill(void *unused) { box->content = &one; box->content = &two; return 0; }
      int main(void) {
        box = malloc(sizeof *box);
        if (!box) return 0;
        pthread_t t;
        pthread_create(&t, 0, fill, 0);
        pthread_join(t, 0);
        assert(${assertion});
        return 0;
      }`;
    expect(await answer(body('*box->content == 2'))).toBe('bounded');
    expect(await answer(body('*box->content == 1'))).toBe('assertion');
  });

  it('is there when a node is published before its link is set', async () => {
    const body = (publish: string) => `
      struct node { int value; struct node *next; } *top;
      void *push(void *unused) {
        struct node *made = malloc(sizeof *made), *old = top;
        if (!made) return 0;
        made->value = 1;
        ${publish}
        return 0;
      }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, push, 0);
        int sum = 0;
        for (struct node *p = top; p; p = p->next) sum += p->value;
        return sum;
      }`;
    expect(await answer(body('top = made; made->next = old;'))).toBe('pointer');
    expect(await answer(body('made->next = old; top = made;'))).toBe('safe');
  });

  it('is invalid outside of objects', async () => {
    expect(await answer('int main(void) { *(char *)__VERIFIER_nondet_ulong() = 1; return 0; }')).toBe('pointer');
    expect(await answer('int main(void) { int *p; int **q = &p; return **q; }')).toBe('pointer');
  });

  it('is not one that the interpreter has to have guessed', async () => {
    const body = 'int x; int main(void) { assert(__VERIFIER_nondet_ulong() != (unsigned long)&x); return 0; }';
    expect(await answer(body)).toBe('unknown');
  });

  it('with an index from anywhere is still an address', async () => {
    const body = (limit: number) =>
      `char a[10000]; int main(void) { unsigned long i = __VERIFIER_nondet_ulong(); if (i < ${limit}) a[i] = 1; return 0; }`;
    expect(await answer(body(10_000))).toBe('safe');
    expect(await answer(body(10_001))).toBe('bounds');
  });
});

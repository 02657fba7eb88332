import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';

const BOUNDS = { unwind: 2, rounds: 2, explore: false, unwindConstantLoops: false } as const;

const main = (body: string) => `#include <assert.h>\nint x;\nint nondet(void);\nint main(void) { ${body} return 0; }`;

describe('a bounded verdict', () => {
  it('is none where no execution within the bounds comes to an assertion', async () => {
    const outcome = await checkText(main('for (int i = 0; i < 1000; i++) x++; assert(x == 1000);'), BOUNDS);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unreached' });
  });

  it('tells how many assertions are reached', async () => {
    const text = main('assert(x == 0); if (nondet()) { for (int i = 0; i < 1000; i++) x++; assert(x > 1); }');
    const outcome = await checkText(text, BOUNDS);
    expect(outcome).toMatchObject({ kind: 'bounded', assertions: { total: 2, reached: 1, missed: [{ line: 4 }] } });
  });

  it('counts what fails whenever it is executed as reached when that is decided', async () => {
    const text = main('int n = nondet(); for (int i = 0; i < n; i++) x++; if (x < 0) { ERROR: ; }');
    const outcome = await checkText(text, BOUNDS);
    expect(outcome).toMatchObject({ kind: 'bounded', assertions: { total: 1, reached: 1, missed: [] } });
  });

  it('needs no assertion to be reached where there is none', async () => {
    const outcome = await checkText(main('int n = nondet(); for (int i = 0; i < n; i++) x++;'), BOUNDS);
    expect(outcome).toMatchObject({ kind: 'bounded', assertions: { total: 0 } });
  });

  it('reaches what a thread does before its first step', async () => {
    const text = `#include <assert.h>\n#include <pthread.h>\nint x;
void *f(void *p) { assert(p != 0); for (;;) x++; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, &x); return 0; }`;
    expect(await checkText(text, BOUNDS)).toMatchObject({ kind: 'bounded', assertions: { total: 1, reached: 1 } });
  });
});

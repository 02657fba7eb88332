import { describe, expect, it } from 'vitest';
import { readCode } from '../../test/support/agreement.ts';
import { analyse, watchRanges } from '../../test/support/watch-ranges.ts';
import { printSet } from '../values/value-set.ts';

/** The set of a global when several threads run the same loop; runs of the program must agree with it. */
function rangeOf(name: string, declarations: string, body: string): string {
  const code = readCode(`
    #include <pthread.h>
    ${declarations}
    void *run(void *unused) { for (int i = 0; i < 50; i++) { ${body} } return unused; }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, run, 0);
      pthread_create(&b, 0, run, 0);
      run(0);
      return 0;
    }`);
  const analysis = analyse(code, 2);
  expect(watchRanges(code, analysis, { seed: 1, runs: 6, unwind: 2 }).faults).toEqual([]);
  const range = analysis.ranges.find((one) => one.name === name && one.function === null);
  return range ? printSet(range.set, range.signed) : 'missing';
}

describe('narrowing after widening', () => {
  it('gives a counter the bound of its condition', () => {
    expect(rangeOf('x', 'int x;', 'int old = x; if (old < 5) x = old + 1;')).toBe('{0, 1, 2, 3, 4, 5}');
    expect(rangeOf('x', 'int x;', 'int old = x; if (old > -20) x = old - 3;')).toBe('-21 … -3 step 3, 0');
  });

  it('brings widened values back to what is written', () => {
    expect(rangeOf('x', 'int x;', 'int old = x; if (old < 1000) x = 2 * old + (i & 1);')).toBe('0 … 1999');
    expect(rangeOf('x', 'unsigned x;', 'x = (x * 5 + 3) % 1000;')).toBe('0, 3, 18, 93 … 968 step 125');
    expect(rangeOf('x', 'int x;', 'int old = x; x = old >= 119 ? 0 : old + 1;')).toBe('0 … 119');
  });

  it('brings back values that hang on one another', () => {
    const body = 'int old = x; if (old < 300) y = old + i; old = y; if (old < 400) x = 2 * old;';
    expect(rangeOf('x', 'int x, y;', body)).toBe('0 … 694 step 2');
    expect(rangeOf('y', 'int x, y;', body)).toBe('0 … 347');
  });

  it('is not needed where few values lead to one another', () => {
    const body = 'int old = x; if (old < 30) y = old + 1; old = y; if (old < 40) x = 2 * old;';
    expect(rangeOf('x', 'int x, y;', body)).toBe('{0, 2, 6, 14, 30}');
    expect(rangeOf('y', 'int x, y;', body)).toBe('{0, 1, 3, 7, 15}');
  });
});

describe('counters', () => {
  it('stay within the sums of their steps', () => {
    expect(rangeOf('x', 'int x;', 'x++;')).toBe('0 … 150');
    expect(rangeOf('x', 'int x = 7;', 'x += 2;')).toBe('7 … 307 step 2');
    expect(rangeOf('x', 'int x;', 'if (i & 1) x++; else x--;')).toBe('-75 … 75');
    expect(rangeOf('x', 'int x;', 'x++; if (x > 12) x = 0;')).toBe('0 … 150');
  });
});

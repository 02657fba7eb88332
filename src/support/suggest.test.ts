import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

describe('suggest', () => {
  const known = ['check', 'parse', 'ranges', 'sequentialize'];

  it('finds the word with one letter wrong, missing, too many or swapped', () => {
    expect(suggest('chekc', known)).toBe('check');
    expect(suggest('chec', known)).toBe('check');
    expect(suggest('pasre', known)).toBe('parse');
    expect(suggest('rangess', known)).toBe('ranges');
    expect(suggest('sequentialise', known)).toBe('sequentialize');
  });

  it('finds types of C', () => {
    const types = ['unsigned', 'size_t', 'pthread_t', 'int'];
    const slips = ['unsigmed', 'sizet', 'pthreads_t', 'itn', 'matrix'];
    expect(slips.map((slip) => suggest(slip, types))).toEqual([...types, null]);
  });

  it('suggests nothing for words that are far from all', () => {
    expect(suggest('frobnicate', known)).toBeNull();
    expect(suggest('', known)).toBeNull();
    expect(suggest('x', [])).toBeNull();
  });
});

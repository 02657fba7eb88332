import { describe, expect, it } from 'vitest';
import { suggest } from './suggest.ts';

describe('suggest', () => {
  it('finds the nearest candidate: replaced, missing, additional and swapped letters', () => {
    const candidates = ['unsigned', 'size_t', 'pthread_t', 'int'];
    expect(suggest('unsigmed', candidates)).toBe('unsigned');
    expect(suggest('sizet', candidates)).toBe('size_t');
    expect(suggest('pthreads_t', candidates)).toBe('pthread_t');
    expect(suggest('itn', candidates)).toBe('int');
  });

  it('keeps quiet when nothing is near', () => {
    expect(suggest('matrix', ['unsigned', 'size_t'])).toBeNull();
    expect(suggest('x', [])).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { spellFloat } from './spell-float.ts';

describe('spellFloat', () => {
  it('gives a float no more digits than tell it apart from its neighbours', () => {
    expect(spellFloat(Math.fround(0.1), 32)).toBe('0.1');
    expect(spellFloat(Math.fround(1 / 3), 32)).toBe('0.33333334');
    expect(spellFloat(Math.fround(16777217), 32)).toBe('16777216');
    expect(spellFloat(Math.fround(3.4e38), 32)).toBe('3.4e+38');
  });

  it('gives a double all of its digits', () => {
    expect(spellFloat(0.1, 64)).toBe('0.1');
    expect(spellFloat(Math.fround(0.1), 64)).toBe('0.10000000149011612');
  });

  it('tells the zeros apart, and what is no number or none that is finite', () => {
    expect([-0, 0, Number.NaN, -1 / 0].map((value) => spellFloat(value, 32))).toEqual(['-0', '0', 'NaN', '-Infinity']);
  });
});

/** Texts that are written again with other numbers. */

import { describe, expect, it } from 'vitest';
import { hole, NumberedText } from './numbered-text.ts';

describe('a text with holes for numbers', () => {
  it('is written with numbers from any first one', () => {
    const text = new NumberedText(`l${hole(0)}:\n  J(${hole(0)}, ${hole(1)});`);
    expect(text.from(9)).toBe('l9:\n  J(9, 10);');
    expect(text.from(99)).toBe('l99:\n  J(99, 100);');
    expect(text.from(9)).toBe('l9:\n  J(9, 10);');
  });

  it('may have no holes, or nothing else', () => {
    expect(new NumberedText('x = 1;').from(5)).toBe('x = 1;');
    expect(new NumberedText(hole(2)).from(5)).toBe('7');
  });
});

import { describe, expect, it } from 'vitest';
import { THEME_STYLE } from './theme.ts';

/** The colours of a block of the style, by name. */
function coloursOf(selector: string): Map<string, string> {
  const [, block = ''] = THEME_STYLE.split(selector);
  return new Map(
    [...(block.split('}')[0] ?? '').matchAll(/--(\w+): (#[0-9a-f]{6})/g)].map(([, a = '', b = '']) => [a, b]),
  );
}

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe.each([':root {', ':root[data-theme=dark] {'])('the colours of %s', (selector) => {
  const colours = coloursOf(selector);
  const words = ['fg', 'dim', 'bad', 'good', 'unclear', 't0', 't1', 't2', 't3', 't4', 't5'];
  const of = (name: string) => colours.get(name) ?? expect.fail(`no colour ${name}`);

  it.each(words)('%s can be read on pages and panels', (word) => {
    for (const ground of ['bg', 'soft']) expect(contrast(of(word), of(ground))).toBeGreaterThan(4.5);
  });

  it('text can be read where it is marked, and on buttons', () => {
    expect(contrast(of('fg'), of('mark'))).toBeGreaterThan(4.5);
    expect(contrast('#ffffff', of('accent'))).toBeGreaterThan(4.5);
  });
});

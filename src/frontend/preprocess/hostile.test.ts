import { describe, expect, it } from 'vitest';
import { preprocessText } from '../../../test/support/preprocess-text.ts';
import { createRandom } from '../../support/random.ts';

/** The last message, with a limit that is reached sooner than the usual one. */
const fails = (source: string, files: Record<string, string> = {}) =>
  preprocessText(source, { files, limits: { expansionTokens: 300_000 } }).messages.at(-1);

describe('hostile macros', () => {
  it('refuses expansions that double forty times', () => {
    const doubling = Array.from({ length: 40 }, (_, at) => `#define x${at} x${at + 1} x${at + 1}`).join('\n');
    expect(preprocessText(`${doubling}\nx0`).messages.at(-1)).toMatch(
      'the expansion of this macro takes more than 2000000 tokens',
    );
  });

  it('refuses doubling through arguments', () => {
    const source = `#define f(x) x x\n${'f('.repeat(40)}1${')'.repeat(40)}`;
    expect(fails(source)).toMatch('the expansion of this macro takes more than');
  });

  it('refuses many expansions that are together too large', () => {
    const source = `#define a 1 1 1 1 1 1 1 1 1 1\n${'a '.repeat(100)}`;
    expect(preprocessText(source, { limits: { totalTokens: 500 } }).messages).toEqual([
      '2: error: macro expansion takes more than 500 tokens in all',
    ]);
  });

  it('bounds the nesting of arguments and of macros', () => {
    const calls = `#define f(x) x\n${'f('.repeat(410)}1${')'.repeat(410)}`;
    expect(fails(calls)).toBe('2: error: macro arguments nested more than 400 deep');
    const nested = `#define f(x) x\n${'f('.repeat(399)}1${')'.repeat(399)}`;
    expect(preprocessText(nested).text).toBe('1');
    const chain = Array.from({ length: 5_000 }, (_, at) => `#define c${at} c${at + 1}`).join('\n');
    expect(fails(`${chain}\nc0`)).toBe('5001: error: macros nested more than 2000 deep');
  });

  it('refuses strings that double, and copies of long arguments', () => {
    const quoting = `#define s(x) #x\n#define q(x) s(x)\n${'q('.repeat(60)}"\\\\"${')'.repeat(60)}`;
    expect(fails(quoting)).toBe("3: error: '#' makes a string of more than 1000000 characters");
    const copies = `#define f(x) ${'x '.repeat(10_000)}\nf(${'1 '.repeat(50_000)})`;
    expect(fails(copies)).toBe('2: error: the expansion of this macro takes more than 300000 tokens');
    const strings = `#define f(x) ${'#x '.repeat(10_000)}\nf(${'1 '.repeat(50_000)})`;
    expect(fails(strings)).toBe('2: error: the expansion of this macro takes more than 300000 tokens');
    const pasted = `#define p(a) ${'a ## '.repeat(2_000)} a\n#define q(a) p(a)\nq(p(xx))`;
    expect(fails(pasted)).toBe('3: error: pasting makes a token of more than 6300 characters');
  });

  it('endures long ones', () => {
    const long = '1 + '.repeat(100_000);
    expect(preprocessText(`#define f(x) x\nf(${long} 1)`).tokens).toHaveLength(200_002);
    const pasted = `#define p(a) ${'a ## '.repeat(2_000)} a\np(x)`;
    expect(preprocessText(pasted).text).toBe('x'.repeat(2_001));
  });
});

describe('hostile files', () => {
  it('bounds the nesting of inclusion', () => {
    expect(fails('#include "a.h"', { 'a.h': '#include "a.h"\n#include "a.h"' })).toBe(
      '1: error: #include nested more than 200 deep',
    );
  });

  it('refuses what is no text after fifty errors', () => {
    const random = createRandom(1);
    const bytes = Array.from({ length: 50_000 }, () => String.fromCharCode(random.below(256))).join('');
    expect(preprocessText(bytes).sink.errorCount).toBe(50);
  });

  it('survives random directives and pieces of macros', () => {
    const random = createRandom(7);
    const pieces = (
      '# # # \n \n \n define undef if ifdef ifndef elif else endif include line pragma error f g x y f(x) f(x,...) ( ) ( ) , ' +
      '## # __VA_ARGS__ __VA_OPT__( defined __has_include( __LINE__ __COUNTER__ 0 1 + - / ? : " \' "s" \'c\' \\\n /* */ // ' +
      '_Pragma("once") <a.h> "a.h" %: ... $ é \\u00e9 @'
    ).split(' ');
    for (let run = 0; run < 800; run++) {
      const source = Array.from(
        { length: 1 + random.below(40) },
        () => random.pick(pieces) + (random.chance(2, 3) ? ' ' : ''),
      );
      const { tokens } = preprocessText(source.join(''), { files: { 'a.h': '#define f(x) x f\nf(1' } });
      expect(tokens.at(-1)?.kind ?? 'end').toBe('end');
    }
  });
});

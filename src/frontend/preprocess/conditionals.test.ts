import { describe, expect, it } from 'vitest';
import { preprocessText } from '../../../test/support/preprocess-text.ts';

const holds = (condition: string, before = '') => {
  const { text, messages } = preprocessText(`${before}\n#if ${condition}\nyes\n#else\nno\n#endif`);
  return messages.length > 0 ? messages.map((message) => message.replace(/^\d+: /, '')).join('; ') : text;
};

describe('#if expressions', () => {
  it('compute with 64 bits, signed or unsigned', () => {
    const true_ = [
      '1 + 2 * 3 == 7',
      '(1 + 2) * 3 == 9',
      '10 - 4 - 3 == 3',
      '-7 / 2 == -3 && -7 % 2 == -1',
      '-1 < 0 && !(-1 < 0u)',
      '-1 > 0u',
      '0x7fffffffffffffff + 1 < 0',
      '0xffffffffffffffff == -1',
      '18446744073709551615u + 1 == 0',
      '1 << 62 == 0x4000000000000000 && 1 << 64 == 0 && 1 << -1 == 0 && 4 >> -1 == 8',
      '-8 >> 1 == -4 && -8 >> 100 == -1 && -8u >> 60 == 15',
      '~0 == -1 && ~0u == 18446744073709551615u && !0 && !!7 == 1 && - -1 == 1 && +1',
      '(1 ? -1 : 0u) > 0',
      '(1, 2) == 2',
      '0b101 == 5 && 010 == 8 && 0XfFuLL == 255',
      '1 ? 0 ? 0 : 1 : 0',
      '(0 ? 1 : 2 ? 3 : 4) == 3',
      '5 & 3 ^ 2 | 8',
      '1 == 1 != 0',
    ];
    for (const condition of true_) expect([condition, holds(condition)]).toEqual([condition, 'yes']);
  });

  it('do not evaluate what C does not', () => {
    expect(holds('1 || 1/0')).toBe('yes');
    expect(holds('0 && 1/0')).toBe('no');
    expect(holds('1 ? 1 : 1%0')).toBe('yes');
    expect(holds('0 ? 1/0 : 0')).toBe('no');
    expect(holds('0 && (1 || 1/0)')).toBe('no');
  });

  it('know character constants', () => {
    const values = [
      "'a' == 97",
      "'\\n' == 10 && '\\0' == 0 && '\\x41' == 65 && '\\101' == 65 && '\\e' == 27",
      "'\\377' < 0 && L'\\377' == 255",
      "'ab' == 24930 && 'abcd' == 0x61626364",
      "L'é' == 233 && U'\\U0001F600' == 0x1f600 && u'x' == 120 && u8'y' == 121",
      "'é' == 0xc3a9 - 0x10000 + 0x10000",
    ];
    for (const condition of values) expect([condition, holds(condition)]).toEqual([condition, 'yes']);
  });

  it('take identifiers left over for 0, after expansion', () => {
    expect(holds('x == 0 && !y && true == 0')).toBe('yes');
    expect(holds('f(2) == 4 && V', '#define f(x) (x*2)\n#define V 1')).toBe('yes');
    expect(holds('f', '#define f(x) 1')).toBe('no');
  });

  it('know defined and the feature tests', () => {
    expect(holds('defined X && defined(X) && !defined Y', '#define X')).toBe('yes');
    expect(holds('HAS', '#define X\n#define HAS defined(X)')).toBe('yes');
    expect(holds('__has_attribute(__noreturn__) && __has_attribute(packed) && !__has_attribute(foo)')).toBe('yes');
    expect(holds('__has_builtin(__builtin_expect) && !__has_builtin(foo)')).toBe('yes');
    expect(holds('defined __has_include && !__has_include(<none.h>) && !__has_include("none.h")')).toBe('yes');
    expect(holds('__has_feature')).toBe('no');
  });

  it('report faults and count as false', () => {
    const cases: [string, string][] = [
      ['', '#if with no expression'],
      ['1 +', '#if: the expression ends too early'],
      ['1 / 0', 'division by zero in #if'],
      ['(1', "missing ')' in expression"],
      ['1)', "unexpected ')'"],
      ['1 2', "unexpected '2'"],
      ['1.0', 'floating constant in preprocessor expression'],
      ['09', "invalid integer constant '09' in preprocessor expression"],
      ['1ul2', "invalid integer constant '1ul2' in preprocessor expression"],
      ['1lul', "invalid suffix 'lul' on integer constant"],
      ['99999999999999999999', 'integer constant is too large for its type'],
      ['"x"', 'token "x" is not valid in preprocessor expressions'],
      ["''", 'empty character constant'],
      ['x = 1', "token '=' is not valid in a preprocessor expression"],
      ['1 ? 2', "'?' without following ':'"],
      ['* 2', "operator '*' has no left operand"],
      ['defined', "operator 'defined' requires an identifier"],
      ['defined(X', "missing ')' after 'defined'"],
      ['__has_include', "missing '(' after '__has_include'"],
      ['__has_include(3)', "operator '__has_include' requires a header name"],
    ];
    for (const [condition, message] of cases)
      expect([condition, holds(condition)]).toEqual([condition, `error: ${message}`]);
  });

  it('leave nothing of their expansion behind', () => {
    expect(preprocessText('#define X 1 2 X y\n#if X\n#endif\nz X').text).toBe('z 1 2 X y');
  });

  it('bound their nesting', () => {
    for (const condition of ['('.repeat(100_000), '!'.repeat(100_000), '1 ? '.repeat(100_000)]) {
      expect(holds(condition)).toBe('error: expression nested more than 500 deep');
    }
    expect(holds(`${'1 + '.repeat(100_000)}1 == 100001`)).toBe('yes');
  });
});

describe('groups', () => {
  const text = (source: string) => preprocessText(source).text;

  it('take the first that holds', () => {
    const chain = (value: number) => `#define V ${value}
#if V == 1
one
#elif V == 2
two
#elif V == 2 || 1
other
#else
never
#endif`;
    expect([1, 2, 3].map((value) => text(chain(value)))).toEqual(['one', 'two', 'other']);
  });

  it('know #ifdef, #ifndef, #elifdef, #elifndef', () => {
    expect(
      text('#define A\n#ifdef A\n1\n#endif\n#ifndef A\n2\n#elifdef A\n3\n#endif\n#ifdef B\n#elifndef B\n4\n#endif'),
    ).toBe('1 3 4');
  });

  it('skip nested ones and what is no C', () => {
    const source = `#if 0
#if 1
no
#else
no
#endif
#elif
don't "
#error no
#foo
#else garbage
#endif
yes`;
    expect(preprocessText(`${source}`).messages).toEqual([
      '7: error: #elif with no expression',
      '11: warning: extra tokens at the end of #else',
    ]);
    expect(text('#if 1\n1\n#elif 1/0\n2\n#else\n3\n#endif\n#if 0\n#include "none"\n#define X\n#endif\nX')).toBe('1 X');
  });

  it('report what does not match', () => {
    expect(
      preprocessText('#endif\n#else\n#elif 1\n#if 1\n#else\n#else\n#elif 1\n#endif\n#ifdef\n#if 0\n#ifdef X').messages,
    ).toEqual([
      '1: error: #endif without #if',
      '2: error: #else without #if',
      '3: error: #elif without #if',
      '6: error: #else after #else',
      '7: error: #elif after #else',
      '9: error: no macro name given in #ifdef',
      '9: error: unterminated #ifdef',
      '10: error: unterminated #if',
      '11: error: unterminated #ifdef',
    ]);
  });

  it('may be nested very deep', () => {
    const depth = 50_000;
    const source = `${'#if 1\n'.repeat(depth)}x\n${'#endif\n'.repeat(depth)}`;
    expect(text(source)).toBe('x');
  });
});

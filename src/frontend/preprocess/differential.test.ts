// The same small texts through gcc's preprocessor and through ours: the tokens must be the same, and both must agree on
// whether there is an error.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { lexText, preprocessText } from '../../../test/support/preprocess-text.ts';
import { requireTool } from '../../../test/support/tools.ts';
import { createRandom, type Random } from '../../support/random.ts';

const STRINGIZE = '#define str(x) #x\n#define xstr(x) str(x)\n';

const CASES: readonly string[] = [
  // Rescanning, painted names, arguments that complete calls.
  '#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)',
  '#define f(x) f\nf(1)(2)(3)',
  '#define f(x) x f\nf(1) (2) (3)',
  '#define AA BB\n#define BB AA\nAA BB',
  '#define foo() bar\nfoo\n()\nfoo () foo(\n)',
  '#define a a b\n#define b b a\na b',
  '#define g f\n#define f(x) <x>\n#define lp (\ng(1) g lp 2) f lp 3) f(lp)',
  '#define obj f(\n#define f(x) [x x]\nobj obj 1) )',
  '#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\nG0(42) NIL(NIL)(3)',
  '#define f(x,y) x y\n#define comma ,\n#define pair 1,2\nf(comma, pair) f(pair, (1,2))',
  '#define EMPTY\n#define DEFER(id) id EMPTY\n#define OBSTRUCT(id) id DEFER(EMPTY)()\n#define EXPAND(x) x\n#define A() 123\nDEFER(A)() EXPAND(DEFER(A)())',
  '#define EVAL(...) EVAL1(EVAL1(EVAL1(__VA_ARGS__)))\n#define EVAL1(...) __VA_ARGS__\n#define E()\n#define D(x) x E E()()\n#define R() n D(RR)()()\n#define RR() R\nEVAL(R())',
  '#define x x->y\n#define f(x) x x\nx f(x) f(f(x))',
  '#define int_ int\n#define T(x) int_##x int_ ## _t\nT(8) T()',
  // Stringizing.
  `${STRINGIZE}str() str( a  b ) str("a\\n" '"' L"x\\\\") str(\\) xstr(str(a "b"))`,
  `${STRINGIZE}#define E\nxstr(a E b) xstr(E a) xstr(a E) xstr(aE E) xstr(E) str(E)`,
  `${STRINGIZE}#define p(x) a x[1]\n#define q(x)a x b\nxstr(p()) xstr(p(2)) xstr(q()) xstr(q(3)) xstr(-E- + E +)`,
  `${STRINGIZE}str(a\n  b /* c */ d // e\n) str(/**/) str(a/**/b) str( @ # $ \\n)`,
  `${STRINGIZE}#define v(...) #__VA_ARGS__\nv() v(a,b) v( a , b ) v("x", 'y') xstr(v(1, 2))`,
  `${STRINGIZE}#define f(x) x\nxstr(f(1)f(2)) xstr(f (1) f\n(2)) xstr(f(f) (1)) xstr(+f(+))`,
  `${STRINGIZE}xstr(__LINE__) xstr(__FILE__) str(__LINE__)\n\nxstr(__COUNTER__) xstr(__COUNTER__)`,
  // Pasting.
  '#define c(a,b) a##b\nc(x,y) c(1,2) c(x,) c(,y) c(,) c(L,"s") c(u8,"s") c(.,5) c(1,e) c(-,>) c(<,<=) c(.1,.2)',
  '#define c3(a,b,c) a##b##c\nc3(a,,c) c3(,,c) c3(1,2,3) c3(%:,%,:)',
  '#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);',
  '#define AB 1\n#define A x\n#define B y\n#define p(a,b) a ## b a b\n#define q(a,b) p(a,b)\np(A,B) q(A,B)',
  '#define f(x, y) x ## y\nf(a b, c d) f( , c d) f(a b, )',
  '#define f(a) a ## _t x ## a ## y\nf(int) f()',
  '#define c(a,b) a##b\nc(+,x)',
  '#define c(a,b) a##b\nc(/,/) c(/,*)',
  // Variable arguments.
  '#define e(f,...) p(f,##__VA_ARGS__)\ne(1) e(1,) e(1,2) e(1,2,3) e() e(,)',
  '#define e(...) p(0,##__VA_ARGS__)\ne() e(1) e(1,2)',
  '#define n(f,a...) p(f,##a) a\nn(1) n(1,) n(1,2,3)',
  '#define n(a...) a|##a|a##x\nn() n(1)',
  '#define o(a,...) f(a __VA_OPT__(,) __VA_ARGS__)\no(1) o(1,) o(1,2,3) o() o(,2)',
  '#define E\n#define o(...) [__VA_OPT__(x __VA_ARGS__ y)]\no() o(E) o(E E) o(1) o(,)',
  '#define o(x,...) x##__VA_OPT__(a b)##x #__VA_OPT__(x a##b __VA_ARGS__)\no(1) o(1,2) o(,3)',
  '#define f(x,y) 1\nf(1)',
  '#define f() 1\nf() f( )',
  '#define f() 1\nf(1)',
  '#define f(x) [x]\nf() f((,)) f((1),2)',
  '#define f(x) x\nf(1',
  // Conditionals.
  '#if (-1 > 0u) + (1 ? -1 : 0u > 0) == 1\na\n#elif 1\nb\n#endif',
  "#if '\\377' < 0 && 'ab' == 24930 && L'\\x100' == 256\na\n#endif\n#if -1 >> 63 == -1 && 3 % -2 == 1 && -3 / 2 == -1\nb\n#endif",
  '#define X 1\n#define D defined X\n#if D && defined(X) && !defined Y && (Y == 0)\na\n#endif',
  '#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif\n#ifdef X\n#elif 1\nd\n#else\ne\n#endif',
  '#if 1 // x\na\n#endif /* y\n*/\n#if 1 \\\n - 1\nb\n#else\nc\n#endif',
  '#if 1 == 1L && 0x10 == 020 && 1u < -1 && ~0 && (2 || 1/0)\na\n#endif',
  '#if 1/0\n#endif',
  '#if\n#endif',
  '#if 1 +\n#endif',
  '#if (1\n#endif',
  '#if 1.0\n#endif',
  '#if 1\na',
  '#else',
  '#if 1\n#else\n#else\n#endif',
  '#if __has_include(<none/none.h>) || __has_include("none.h")\na\n#else\nb\n#endif\n#ifdef __has_include\nc\n#endif',
  // Directives here and there.
  '#define f(x) x\nf(1\n#define y 2\ny\n#undef y\ny)',
  '#define E\n#define H #\nE # define X 1\nH define Y 1\nX Y',
  '%: define A 1\n%:define s(x) %:x\n#define c(a,b) a%:%:b\nA s(q) c(1,2)',
  '#define s(x) #x\ns(<: [ :> ] <% { %> } %: # %:%: ##)',
  '#line 50 "q.c"\n__LINE__ __FILE__\n#line 7\n__LINE__\n#define f(x) x __LINE__\nf(__LINE__\n\n)',
  '# 33 "a.c" 3\n__LINE__ __FILE__',
  '# 1 "a.c"\n#define X 1\n# 1 "b.h" 1\nX\n# 2 "a.c" 2\n__LINE__ __FILE__',
  '#define A 1\n#define B A\n#undef A\n#define A 2\nB\n#undef B\nB',
  '#pragma push_macro("A")\n#define A 1\nA\n#pragma pop_macro("A")\nA',
  '#error x',
  '#warning x\ny',
  '#foo',
  '#define',
  '#define f(x,x)',
  '#define f(x) #y',
  '#define f ## 1',
  '#include <none/none.h>',
  // Odd lexing.
  'a+++++b a<::>b x%:y 0x1.p-3 1.e+5.. .. ... .5.5',
  'int a\\\nb = 1\\\n2; "a\\\nb" /\\\n* c *\\\n/ d /\\\n/ e\\\nf\ng',
  'é = \\u00e9; $x = x$; u8"a" u"b" U\'c\' L"d"',
  '"unterminated /* not a comment */" /* "not a string */ \'"\' "\'"',
];

/** The tokens as text; the lines that gcc keeps for pragmas go to the compiler, not to the parser's tokens. */
function throughGcc(gcc: string, input: string): { tokens: string[]; failed: boolean } {
  const { stdout, status } = spawnSync(gcc, ['-E', '-P', '-x', 'c', '-'], { input, encoding: 'utf8' });
  const text = stdout.replace(/^#pragma .*$/gm, '');
  return { tokens: lexText(text).tokens.map((token) => `${token.kind} ${token.text}`), failed: status !== 0 };
}

const MACROS = ['a', 'b', 'c', 'f', 'g', 'h'];

/** Definitions of a few macros that use each other, and a text that uses them. Its parentheses close at the end. */
function randomMacros(random: Random): string {
  const pieces = [...MACROS, ...MACROS, 'f(', 'g (', 'h(', '(', ')', ')', ')', ',', '1', 'x', '"s"', '+'];
  const tokens = (extra: readonly string[]) =>
    Array.from({ length: random.below(7) }, () => random.pick([...pieces, ...extra])).join(
      random.pick(['', ' ', '  ']),
    );
  const variadic = ['x', 'x', '__VA_ARGS__', ' #x', ' #__VA_ARGS__', '__VA_OPT__(y x)', ', ## __VA_ARGS__', ' z ## q '];
  return [
    ...MACROS.map((name) => `#undef ${name}`),
    ...['a', 'b', 'c'].map((name) => `#define ${name} ${tokens([])}`),
    ...['f', 'g'].map((name) => `#define ${name}(x, ...) ${tokens(variadic)}`),
    `#define h(...) ${tokens(['__VA_ARGS__', '#__VA_ARGS__', '__VA_OPT__(,)'])}`,
    `${tokens([])} f(${tokens([])}) h(${tokens([])}) ))))))))))))))))))`,
    'END',
  ].join('\n');
}

describe('our preprocessor and gcc', () => {
  it(`agree on ${CASES.length} texts`, () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    for (const source of CASES) {
      const theirs = throughGcc(gcc, source);
      const ours = preprocessText(source, { fileName: '<stdin>' });
      expect([source, ours.sink.hasErrors]).toEqual([source, theirs.failed]);
      if (theirs.failed) continue;
      const tokens = ours.tokens.filter(({ kind }) => kind !== 'end').map((token) => `${token.kind} ${token.text}`);
      expect([source, ...tokens]).toEqual([source, ...theirs.tokens]);
    }
  });

  it('agree on random macros', () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    const random = createRandom(20);
    const programs = Array.from({ length: 300 }, () => randomMacros(random));
    const faultless = programs.filter((program) => !preprocessText(program).sink.hasErrors);
    expect(faultless.length).toBeGreaterThan(150);
    // gcc also reports faults in arguments whose expansion is not needed in the end; its tokens are the same.
    const theirs = throughGcc(gcc, faultless.join('\n'));
    const ours = preprocessText(faultless.join('\n'));
    const split = (tokens: readonly string[]) => tokens.join(' ').split('identifier END');
    const tokens = ours.tokens.filter(({ kind }) => kind !== 'end').map((token) => `${token.kind} ${token.text}`);
    expect(split(tokens)).toEqual(split(theirs.tokens));
  });

  it('predefine the same macros', () => {
    const gcc = requireTool('gcc');
    const version = gcc && spawnSync(gcc, ['-dumpversion'], { encoding: 'utf8' }).stdout.trim();
    if (version !== '12') return;
    // Without vectors, so that programs that have another way to do without take it.
    const options = ['-m64', '-mno-mmx', '-mno-sse', '-dM', '-E', '-x', 'c', '/dev/null'];
    const dump = spawnSync(gcc as string, options, { encoding: 'utf8' }).stdout;
    const names = [...dump.matchAll(/^#define (\w+)(?= )/gm)].map(([, name]) => name as string);
    const { text } = preprocessText(names.map((name) => `#ifndef ${name}\n${name}\n#endif`).join('\n'));
    expect([names.length > 300, text]).toEqual([true, '']);
  });
});

import { describe, expect, it } from 'vitest';
import { preprocessText } from '../../../test/support/preprocess-text.ts';

const text = (source: string) => preprocessText(source).text;
const messages = (source: string) => preprocessText(source).messages;

describe("the standard's examples (C11 6.10.3.5)", () => {
  it('example 3: rescanning', () => {
    const source = `
      #define x 3
      #define f(a) f(x * (a))
      #undef x
      #define x 2
      #define g f
      #define z z[0]
      #define h g(~
      #define m(a) a(w)
      #define w 0,1
      #define t(a) a
      #define p() int
      #define q(x) x
      #define r(x,y) x ## y
      #define str(x) # x
      f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
      g(x+(3,4)-w) | h 5) & m
        (f)^m(m);
      p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
      char c[2][6] = { str(hello), str() };`;
    expect(text(source)).toBe(
      [
        'f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;',
        'f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;',
        'int i [ ] = { 1 , 23 , 4 , 5 , } ;',
        'char c [ 2 ] [ 6 ] = { "hello" , "" } ;',
      ].join(' '),
    );
  });

  it('example 4: # and ##', () => {
    const source = `
      #define str(s) # s
      #define xstr(s) str(s)
      #define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \\
                                 x ## s, x ## t)
      #define INCFILE(n) vers ## n
      #define glue(a, b) a ## b
      #define xglue(a, b) glue(a, b)
      #define HIGHLOW "hello"
      #define LOW LOW ", world"
      debug(1, 2);
      fputs(str(strncmp("abc\\0d", "abc", '\\4') // this goes away
        == 0) str(: @\\n), s);
      xstr(INCFILE(2).h)
      glue(HIGH, LOW);
      xglue(HIGH, LOW)`;
    expect(text(source)).toBe(
      [
        'printf ( "x" "1" "= %d, x" "2" "= %s" , x1 , x2 ) ;',
        String.raw`fputs ( "strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n" , s ) ;`,
        '"vers2.h"',
        '"hello" ;',
        '"hello" ", world"',
      ].join(' '),
    );
  });

  it('example 5: placemarkers', () => {
    const source = `
      #define t(x,y,z) x ## y ## z
      int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };`;
    expect(text(source)).toBe('int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;');
  });

  it('example 6: which redefinitions are the same', () => {
    const same = `
      #define OBJ_LIKE (1-1)
      #define OBJ_LIKE /* white space */ (1-1) /* other */
      #define FUNC_LIKE(a) ( a )
      #define FUNC_LIKE( a )( /* note the white space */ \\
                              a /* other stuff on this line
                                */ )`;
    expect(messages(same)).toEqual([]);
    const different = `#define OBJ_LIKE (1-1)
#define OBJ_LIKE (0)
#define OBJ (1-1)
#define OBJ (1 - 1)
#define FUNC(a) ( a )
#define FUNC(b) ( a )
#define GUNC(b) ( b )
#define GUNC(b) ( a )`;
    expect(messages(different)).toEqual([
      "2: warning: 'OBJ_LIKE' redefined",
      "4: warning: 'OBJ' redefined",
      "6: warning: 'FUNC' redefined",
      "8: warning: 'GUNC' redefined",
    ]);
  });

  it('example 7: variable arguments', () => {
    const source = `
      #define debug(...) fprintf(stderr, __VA_ARGS__)
      #define showlist(...) puts(#__VA_ARGS__)
      #define report(test, ...) ((test)?puts(#test):\\
                  printf(__VA_ARGS__))
      debug("Flag");
      debug("X = %d\\n", x);
      showlist(The first, second, and third items.);
      report(x>y, "x is %d but y is %d", x, y);`;
    expect(text(source)).toBe(
      [
        'fprintf ( stderr , "Flag" ) ;',
        String.raw`fprintf ( stderr , "X = %d\n" , x ) ;`,
        'puts ( "The first, second, and third items." ) ;',
        '( ( x > y ) ? puts ( "x>y" ) : printf ( "x is %d but y is %d" , x , y ) ) ;',
      ].join(' '),
    );
  });
});

describe('macros', () => {
  it('expands no name inside its own expansion', () => {
    expect(text('#define foo (4 + foo)\nfoo')).toBe('( 4 + foo )');
    expect(text('#define x (4 + y)\n#define y (2 * x)\nx y')).toBe('( 4 + ( 2 * x ) ) ( 2 * ( 4 + y ) )');
    expect(text('#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)')).toBe('42');
  });

  it('leaves a function-like name without arguments alone', () => {
    expect(text('#define f(x) <x>\nf f\n(1) f')).toBe('f < 1 > f');
    expect(text('#define f(x) x\nf')).toBe('f');
  });

  it('drops the comma before missing variable arguments', () => {
    const define = '#define e(f, ...) p(f, ##__VA_ARGS__)\n#define n(f, a...) p(f, ##a)\n';
    expect(text(`${define}e(1) e(1,2,3) n(1) n(1,2)`)).toBe('p ( 1 ) p ( 1 , 2 , 3 ) p ( 1 ) p ( 1 , 2 )');
  });

  it('treats __VA_OPT__', () => {
    const define = '#define f(a, ...) g(a __VA_OPT__(, [__VA_ARGS__]) ) #__VA_OPT__(x)\n#define E\n';
    expect(text(`${define}f(1) f(1,) f(1,E) f(1,2,3)`)).toBe(
      'g ( 1 ) "" g ( 1 ) "" g ( 1 ) "" g ( 1 , [ 2 , 3 ] ) "x"',
    );
  });

  it('keeps painted names through arguments and pasting forgets the paint', () => {
    expect(text('#define a b a\n#define id(x) x\nid(a) id(id(a))')).toBe('b a b a');
    expect(text('#define ab 1\n#define f(x) x ## b\nf(a)')).toBe('1');
  });

  it('computes the built-in ones', () => {
    const source = `__LINE__ __FILE__ __COUNTER__ __COUNTER__
__LINE__ __INCLUDE_LEVEL__ __BASE_FILE__ __DATE__ __TIME__ __func__`;
    expect(text(source)).toBe('1 "main.c" 0 1 2 0 "main.c" "Jan  1 1970" "00:00:00" __func__');
  });

  it('counts lines at the use of a macro', () => {
    expect(text('#define L __LINE__\n#define M(x) x L\n\nL M(\nL\n)')).toBe('4 5 4');
  });

  it('gives the macros of the data model', () => {
    const source = '__SIZEOF_POINTER__ __SIZEOF_LONG__ __GNUC__ __LAZULI__';
    expect(preprocessText(source).text).toBe('8 8 12 1');
    expect(preprocessText(source, { dataModel: 'ILP32' }).text).toBe('4 4 12 1');
  });

  it('obeys -D and -U', () => {
    const options = { defines: ['A', 'B=2', 'F(x)=<x>', 'C=1\n#error'], undefines: ['B', '__GNUC__'] };
    const result = preprocessText('A B F(1) C __GNUC__', options);
    expect(result.text).toBe('1 B < 1 > 1 __GNUC__');
    expect(result.messages).toEqual([]);
  });

  it('carries out directives inside arguments', () => {
    expect(text('#define f(x) [x]\nf(1\n#define y 2\n#if 0\n,3\n#endif\ny)')).toBe('[ 1 2 ]');
  });

  it('does not take an expanded # for a directive', () => {
    expect(text('#define H #\n#define E\nH define X 1\nE # define Y\nX')).toBe('# define X 1 # define Y X');
  });

  it('reports what is wrong with definitions', () => {
    const cases: [string, string][] = [
      ['#define', 'no macro name given in #define'],
      ['#define 3', 'a macro name must be an identifier'],
      ['#define defined', 'a macro name must be an identifier'],
      ['#define __VA_OPT__ 1', "'__VA_OPT__' cannot be used as a macro name"],
      ['#define f(x', "expected ',' or ')' in the macro's parameters"],
      ['#define f(x,x) 1', "duplicate macro parameter 'x'"],
      ['#define f(x,) 1', 'expected a parameter name in the macro definition'],
      ['#define f(...,x) 1', "expected ')' after '...' in the macro's parameters"],
      ['#define f(__VA_ARGS__) 1', "'__VA_ARGS__' cannot be the name of a parameter"],
      ['#define f(x) # y', "'#' is not followed by a macro parameter"],
      ['#define f(x) #', "'#' is not followed by a macro parameter"],
      ['#define f(x) ## x', "'##' cannot appear at either end of a macro expansion"],
      ['#define o 1 ##', "'##' cannot appear at either end of a macro expansion"],
      ['#define f(x,...) __VA_OPT__(__VA_OPT__(1))', "'__VA_OPT__' may not appear in a '__VA_OPT__'"],
      ['#define f(x,...) __VA_OPT__ 1', "'__VA_OPT__' needs a parenthesised list of tokens"],
    ];
    for (const [source, message] of cases) expect(messages(source)).toEqual([`1: error: ${message}`]);
  });

  it('reports what is wrong with uses', () => {
    expect(messages('#define f(x,y) 1\nf(1)\nf(1,2,3)\nf(1,2)')).toEqual([
      "2: error: macro 'f' requires 2 arguments, but 1 given",
      "3: error: macro 'f' requires 2 arguments, but 3 given",
    ]);
    expect(messages('#define f(x) x\nf(1')).toEqual(["2: error: unterminated argument list invoking macro 'f'"]);
    const paste = preprocessText('#define c(x,y) x##y\nc(+,/) c(a,b)');
    expect(paste.messages).toEqual(["2: error: pasting '+' and '/' does not give a valid preprocessing token"]);
    expect(paste.text).toBe('+ / ab');
  });

  it('knows where a token is spelled and which macros led to it', () => {
    const { tokens, sources } = preprocessText('#define ONE 1\n#define TWO ONE + x\n\n  TWO');
    const one = tokens[0]!;
    expect(sources.macroStack(one.loc).map(({ name }) => name)).toEqual(['ONE', 'TWO']);
    expect(sources.place(one.loc)).toMatchObject({ line: 4, column: 3 });
    expect(sources.place(sources.spellingOf(one.loc))).toMatchObject({ line: 1, column: 13 });
  });
});

describe('pragmas', () => {
  it('hands pack to the parser and drops the rest', () => {
    const source = '#define N 2\n#pragma pack(push, N)\nint x;\n#pragma omp parallel\n#pragma pack(pop)\n#pragma\n';
    const { tokens } = preprocessText(source);
    expect(tokens.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'pragma #pragma pack(push, 2)',
      'identifier int',
      'identifier x',
      'punctuator ;',
      'pragma #pragma pack(pop)',
      'end ',
    ]);
  });

  it('carries out _Pragma', () => {
    const source = '#define P(x) _Pragma(#x) a\nP(pack(1)) P(GCC diagnostic "x") _Pragma ("GCC warning \\"w\\"")';
    const result = preprocessText(source);
    expect(result.text).toBe('#pragma pack(1) a a');
    expect(result.messages).toEqual(['2: warning: w']);
    expect(messages('_Pragma')).toEqual(['1: error: _Pragma takes a parenthesised string literal']);
    expect(preprocessText('_Pragma(x) y').text).toBe('( x ) y');
  });

  it('saves and restores macros', () => {
    const source = `#define X 1
#pragma push_macro("X")
#undef X
#define X 2
X
#pragma pop_macro("X")
X
#pragma push_macro("Y")
#define Y 3
#pragma pop_macro("Y")
Y`;
    expect(text(source)).toBe('2 1 Y');
  });

  it('refuses one that changes the meaning of memory', () => {
    expect(messages('#pragma scalar_storage_order big-endian')).toEqual([
      '1: error: #pragma scalar_storage_order is not supported',
    ]);
  });
});

describe('lines', () => {
  it('follows #line and linemarkers', () => {
    const source = `#line 100
__LINE__ __FILE__
#define N 7
#line N "other.c"
__LINE__ __FILE__
# 20 "sys/\\"x\\".h" 1 3 4
__LINE__ __FILE__
x`;
    const { text, tokens, sources } = preprocessText(source);
    expect(text).toBe(String.raw`100 "main.c" 7 "other.c" 20 "sys/\"x\".h" x`);
    expect(sources.place(tokens.at(-2)!.loc)).toMatchObject({ file: 'sys/"x".h', line: 21, inSystemHeader: true });
  });

  it('reports malformed ones', () => {
    expect(messages('#line x\n#line 1 2\n#line 0x10\n#line 99999999999\n# 5 x')).toEqual([
      '1: error: #line needs a line number',
      '2: error: #line needs a file name as a plain string',
      '3: error: #line needs a line number',
      '4: error: #line needs a line number',
      '5: error: malformed linemarker',
    ]);
  });
});

describe('other directives', () => {
  it('reports #error and #warning with their text', () => {
    expect(messages('#error do  not /* x */ this\n#warning\n  #  warning  a b')).toEqual([
      '1: error: #error do not this',
      '2: warning: #warning',
      '3: warning: #warning a b',
    ]);
  });

  it('ignores what gcc ignores and refuses the unknown', () => {
    expect(messages('#\n#ident "x"\n#sccs "x"\n#assert a(b)\n#unassert a\n#foo\n#"x"')).toEqual([
      "6: error: invalid preprocessing directive '#foo'",
      `7: error: invalid preprocessing directive '#"x"'`,
    ]);
  });

  it('reports and repairs what is no token', () => {
    const result = preprocessText('a @ "b\nc \'d\n\u0000 \\ "e\\');
    expect(result.text).toBe('a "b" c \'d\' "e"');
    expect(result.messages).toEqual([
      "1: error: stray '@' in program",
      '1: error: missing terminating " character',
      "2: error: missing terminating ' character",
      '3: error: stray U+0000 in program',
      "3: error: stray '\\' in program",
      '3: error: missing terminating " character',
    ]);
    expect(messages("#define unused don't @\n#if 0\n @ don't \"\n#endif")).toEqual([]);
  });
});

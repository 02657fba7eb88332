import { describe, expect, it } from 'vitest';
import type { DataModel } from '../../program/data-model.ts';
import type { Program } from '../../program/tree.ts';
import { NOWHERE } from '../../support/source.ts';
import { readProgram } from '../front-end.ts';
import { printExpression, printProgram, printStatement } from './print-program.ts';

function read(text: string, dataModel: DataModel = 'LP64'): Program {
  const { program, diagnostics } = readProgram({ fileName: 'test.c', text, dataModel });
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program;
}

function print(text: string, dataModel: DataModel = 'LP64'): string {
  const printed = printProgram(read(text, dataModel));
  expect(printProgram(read(printed, dataModel))).toBe(printed);
  return printed;
}

/** The print of an expression that stands in a function with a few variables. */
function expression(text: string): string {
  const variables =
    'int i, j, *p, **pp, a[4]; unsigned u; char c; long l; double d; struct s { int x; struct s *n; } s, *q;';
  const lines = print(`${variables} int f(int, int); void g(void) { ${text}; }`).trimEnd().split('\n');
  return (lines.at(-2) ?? '').trim().replace(/;$/, '');
}

/** Texts that come back as they are. */
function keeps(text: string): void {
  expect(print(text)).toBe(text);
}

describe('expressions', () => {
  it.each([
    'i + j * i',
    '(i + j) * i',
    'i - j - i',
    'i - (j - i)',
    'i = j = 3',
    '*p++',
    '(*p)++',
    '++*p',
    '- -i',
    'i - -j',
    '!(i && j)',
    '(i && j) || i',
    'i && (j || i)',
    '(i & j) == i',
    'i << (j + 1)',
    '(i < j) == i',
    'i ? j : l ? i : 2L',
    'i ?: j',
    'i, j',
    'f(i, (j, i))',
    'q->n->x',
    's.n->x',
    '&q->n->x',
    '*pp[1]',
    '(*pp)[1]',
    '&a[i]',
    'a[i = 2]',
    '(char)i + c',
    '(int)(d + 1)',
    '-(int)d',
    '(unsigned int)i < u',
    'i += c',
    'c += i * 2',
    'p += 2',
    'sizeof(struct s) * 2',
    'sizeof(int)',
    "'a' + '\\n'",
    '~i & 255',
    'p - a',
    'p == (void *)0',
    'i = d',
    '(void)i',
  ])('%s is kept', (text) => {
    expect(expression(text)).toBe(text);
  });

  it.each([
    ['((((i))))', 'i'],
    ['(i * j) + l', 'i * j + l'],
    ['i + (j * l)', 'i + j * l'],
    ['2[a]', 'a[2]'],
    ['(*q).x', 'q->x'],
    ['-(-i)', '- -i'],
    ['i && j || i', '(i && j) || i'],
    ['0xffffffff', '4294967295U'],
    ['0x7fffffffffffffff', '9223372036854775807L'],
    ['(void *)p == a', '(void *)p == a'],
    ['(void *)p < a', '(void *)p < (void *)a'],
    ['"a\\x41" "b"', '"aAb"'],
    ['"\\x1" "1"', '"\\0011"'],
  ])('%s is printed as %s', (text, expected) => {
    expect(expression(text)).toBe(expected);
  });
});

describe('declarations', () => {
  it.each([
    'int (*f(char))(int, ...);\n',
    'extern int (*(*table[3])(void))[4];\n',
    'static const char *const names[2] = { "a", "b" };\n',
    'typedef struct {\n  int x;\n} T;\nT *t;\n',
    'typedef struct {\n  int x;\n} T;\ntypedef T *P;\n',
    'struct {\n  int x;\n} one;\n',
    'struct s {\n  unsigned int a : 3;\n  unsigned int : 0;\n  union {\n    int i;\n    float f;\n  };\n};\n',
    'struct s {\n  char c;\n  int i __attribute__((packed));\n} __attribute__((aligned(8)));\n',
    '#pragma pack(push, 2)\nstruct s {\n  char c;\n  int i;\n};\n#pragma pack(pop)\n',
    'enum e { A, B = 5, C };\nenum e e = B;\n',
    'typedef enum { X = -1, Y } E;\nE y = Y;\n',
    'enum { ONLY };\n',
    'int a[6] = { 1, [3] = 4, 5 };\n',
    'int a[8] = { [1 ... 3] = 7 };\n',
    'struct s {\n  int a;\n  int b[2];\n};\nstruct s s = { .b = { 1 } };\n',
    'struct s {\n  int a;\n  int b;\n  int c;\n};\nstruct s s = { .a = 1, .b = 2 };\n',
    'struct s {\n  int a;\n  int b;\n};\nstruct s s = { 0 };\n',
    'static _Thread_local int t = 1;\n',
    'int x __attribute__((aligned(16)));\n',
    'typedef int T __attribute__((aligned(16)));\nT t;\n',
    'void f(int *);\n\nvoid g(void) {\n  int x __attribute__((aligned(8))) __attribute__((cleanup(f))) = 1;\n}\n',
    'union u {\n  int i;\n  float f;\n};\nunion u u = { .f = 1.5f };\n',
    'int *p = (int[2]){ 1, 2 };\n',
    'typedef const int C;\nC c = 1;\nint volatile_free;\n',
    'double d = 0x1.8p1;\nfloat f = 1e-5f;\nlong double l = 0.1L;\n',
    '__asm__(".globl x");\n',
  ])('%s is kept', keeps);

  it('gives a tag to a record that is mentioned twice', () => {
    expect(print('struct { int x; } a; __typeof__(a) b;')).toBe(
      'struct anonymous_1 {\n  int x;\n};\nstruct anonymous_1 a;\nstruct anonymous_1 b;\n',
    );
  });

  it('announces a tag that would first be seen among parameters', () => {
    expect(print('struct s; void f(struct s *); struct s { int x; };')).toBe(
      'struct s;\nvoid f(struct s *);\nstruct s {\n  int x;\n};\n',
    );
  });

  it('writes the initializer once, at the definition', () => {
    keeps('static int x;\nstatic int x = 6;\nextern int y;\nint y = 1;\n');
  });

  it('writes the smallest integers without overflow', () => {
    const text = print('int i = -2147483647 - 1; long long l = -9223372036854775807LL - 1;');
    expect(text).toBe('int i = -2147483647 - 1;\nlong long l = -9223372036854775807LL - 1;\n');
  });
});

describe('statements', () => {
  it.each([
    'void f(int a, int b) {\n  if (a) {\n    if (b)\n      f(1, 2);\n  } else\n    f(3, 4);\n}\n',
    'void f(int a) {\n  if (a)\n    f(1);\n  else if (a > 1) {\n    f(2);\n  } else {\n    f(3);\n  }\n}\n',
    "int f(int a) {\n  switch (a) {\n  case 1 ... 3:\n  default:\n    return 1;\n  case 'x':\n    break;\n  }\n  return 0;\n}\n",
    'void f(void) {\n  for (int i = 0, *p = &i; i < 3; i++)\n    ;\n  for (;;)\n    break;\n}\n',
    'void f(int n) {\n  do {\n    n--;\n  } while (n);\n  do\n    n++;\n  while (n);\n  while ((n = n - 1))\n    continue;\n}\n',
    'void f(void) {\n  goto end;\nend:\n  ;\n}\n',
    'void f(void) {\n  void *p = &&here;\n  goto *p;\nhere:\n  return;\n}\n',
    'int f(int n) {\n  int a[n];\n  n = 2;\n  return sizeof(a) + sizeof(int[n]);\n}\n',
    'int f(void) {\n  return ({\n    int x = 1;\n    x;\n  });\n}\n',
    'void f(int x) {\n  __asm__ volatile ("nop" : "+r" (x) :  : "memory");\n}\n',
    'void f(void) {\n  struct s {\n    int x;\n  };\n}\n',
    'int f(int n, int (*a)[n]) {\n  return a[0][1];\n}\n',
    'static int s;\nint f(void) {\n  static int s = 2;\n  extern int t;\n  return s + t;\n}\n'.replace(
      ';\nint f',
      ';\n\nint f',
    ),
  ])('%s is kept', keeps);

  it('writes a call that does not fit an old-style definition through a pointer', () => {
    const text = print('int f(a) int a; { return a; } int g(void) { return f() + f(1); }');
    expect(text).toContain('int f(int a) {');
    expect(text).toContain('return ((int (*)())f)() + f(1);');
  });

  it('tells apart the labels of statement expressions', () => {
    const block = '({ __label__ l; goto l; l: 1; })';
    const text = print(`int f(void) { return ${block} + ${block}; }`);
    expect(text).toContain('goto l;');
    expect(text).toContain('goto l_1;');
  });

  it('prints long chains without recursion', () => {
    const sum = Array.from({ length: 100_000 }, () => 'x').join(' + ');
    expect(print(`int f(int x) { return ${sum}; }`)).toContain(sum);
    const chain = Array.from({ length: 5_000 }, (_, at) => `if (x == ${at}) f(${at}); else `).join('');
    expect(print(`void f(int x) { ${chain} f(0); }`).split('else if').length).toBe(5_000);
  });
});

describe('trees that no parser makes', () => {
  const int = { kind: 'integer', name: 'int', qualifiers: 0, alias: null } as const;
  const long = { kind: 'integer', name: 'long', qualifiers: 0, alias: null } as const;
  const program = read('int x, y; long f(void) { int x = 1; return x; } int g(void) { return x; }');
  const [item] = program.items;
  if (item?.kind !== 'variable') throw new Error('the first item is a variable');
  const x = { kind: 'variable', symbol: item.symbol, type: int, loc: NOWHERE } as const;
  const wide = { kind: 'cast', castKind: 'integer', implicit: true, operand: x, type: long, loc: NOWHERE } as const;

  it('keeps an implicit cast that would not come back', () => {
    const sum = { kind: 'arithmetic', operator: '+', left: wide, right: wide, type: long, loc: NOWHERE } as const;
    expect(printExpression(sum, 'LP64')).toBe('(long)x + x');
    const minus = { kind: 'unary', operator: '-', operand: wide, type: long, loc: NOWHERE } as const;
    expect(printExpression(minus, 'LP64')).toBe('-(long)x');
  });

  it('renames what hides a name that is meant', () => {
    const items = program.items.map((one) => {
      if (one.kind !== 'function' || one.definition.symbol.name !== 'f') return one;
      const { definition } = one;
      const [declaration] = definition.body.items;
      if (declaration === undefined) throw new Error('the function has a declaration');
      const statement = { kind: 'return', value: wide, loc: NOWHERE } as const;
      return { ...one, definition: { ...definition, body: { ...definition.body, items: [declaration, statement] } } };
    });
    expect(printProgram({ ...program, items })).toContain('  int x_1 = 1;\n  return x;\n');
  });

  it('puts a declaration or a label that is a body into braces', () => {
    const label = {
      kind: 'label',
      label: { kind: 'label-symbol', id: 1, name: 'l', loc: NOWHERE },
      loc: NOWHERE,
    } as const;
    const loop = { kind: 'while', condition: x, body: label, loc: NOWHERE } as const;
    expect(printStatement(loop, 'LP64')).toBe('while (x) {\nl:\n  ;\n}');
  });
});

describe('places', () => {
  const program = read('int x;\n\nint f(void)\n{\n  return\n    x;\n}\n');

  it('maps lines to the source', () => {
    const lineMap: number[] = [];
    const text = printProgram(program, { lineMap: lineMap as never });
    const lines = lineMap.map((loc) => program.sources.place(loc as never)?.line ?? null);
    expect(text.split('\n').slice(0, -1)).toHaveLength(lines.length);
    expect(lines).toEqual([1, null, 3, 5, 7]);
  });

  it('writes #line directives where counting would go wrong', () => {
    const text = printProgram(program, { lineDirectives: true });
    expect(text).toContain('#line 5 "test.c"\n  return x;\n');
    expect(printProgram(read(text))).toBe(printProgram(program));
  });

  it('writes annotations', () => {
    const text = printProgram(program, { annotate: (item) => (item.kind === 'function' ? '// a function' : null) });
    expect(text).toContain('int x;\n\n// a function\nint f(void)');
  });
});

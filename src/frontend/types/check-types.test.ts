import { describe, expect, it } from 'vitest';
import type { DataModel } from '../../program/data-model.ts';
import { printType } from '../../program/print-type.ts';
import type { Expression, Initializer, Program, VariableSymbol } from '../../program/tree.ts';
import { readProgram } from '../front-end.ts';

function check(text: string, dataModel: DataModel = 'LP64'): Program {
  const { program, diagnostics } = readProgram({ fileName: 'test.c', text, dataModel });
  if (program === null) throw new Error(diagnostics.map((diagnostic) => diagnostic.message).join('\n'));
  return program;
}

function variable(program: Program, name: string): VariableSymbol {
  for (const item of program.items) if (item.kind === 'variable' && item.symbol.name === name) return item.symbol;
  throw new Error(`no variable ${name}`);
}

/** A tree in one line: kinds, casts, types where they matter. */
function sketch(e: Expression): string {
  switch (e.kind) {
    case 'integer':
      return String(e.value);
    case 'float':
      return String(e.value);
    case 'variable':
      return e.symbol.name;
    case 'function':
      return e.symbol.name;
    case 'string':
      return `"${String.fromCharCode(...e.units.slice(0, -1))}"`;
    case 'cast':
      return `${e.implicit ? '' : '!'}${e.castKind}<${printType(e.type)}>(${sketch(e.operand)})`;
    case 'arithmetic':
    case 'comparison':
    case 'logical':
    case 'pointer-difference':
      return `(${sketch(e.left)} ${'operator' in e ? e.operator : 'ptr-'} ${sketch(e.right)}):${printType(e.type)}`;
    case 'pointer-offset':
      return `(${sketch(e.pointer)} ptr${e.operator} ${sketch(e.offset)})`;
    case 'unary':
      return `${e.operator}${sketch(e.operand)}`;
    case 'address':
      return `&${sketch(e.operand)}`;
    case 'dereference':
      return `*${sketch(e.operand)}`;
    case 'index':
      return `${sketch(e.base)}[${sketch(e.index)}]`;
    case 'member':
      return `${sketch(e.object)}.${e.field.name ?? '<anonymous>'}`;
    case 'assignment':
      return `${sketch(e.target)} = ${sketch(e.value)}`;
    case 'compound-assignment':
      return `${sketch(e.target)} ${e.operator}=<${printType(e.computation)}> ${sketch(e.value)}`;
    case 'increment':
      return e.isPrefix ? `${e.operator}${sketch(e.target)}` : `${sketch(e.target)}${e.operator}`;
    case 'conditional':
      return `(${sketch(e.condition)} ? ${e.then === null ? '' : sketch(e.then)} : ${sketch(e.otherwise)}):${printType(e.type)}`;
    case 'call':
      return `${sketch(e.callee)}(${e.args.map(sketch).join(', ')})`;
    case 'builtin':
      return `${e.name}(${e.args.map(sketch).join(', ')}):${printType(e.type)}`;
    default:
      return e.kind;
  }
}

/** The last expression statement of the last function. */
function lastExpression(text: string, dataModel?: DataModel): string {
  const { items } = check(text, dataModel);
  const last = items[items.length - 1];
  if (last?.kind !== 'function') throw new Error('no function');
  const statement = last.definition.body.items.at(-1);
  if (statement?.kind !== 'expression') throw new Error('no expression');
  return sketch(statement.expression);
}

describe('implicit conversions', () => {
  it.each([
    ['void f(char a, short b) { a + b; }', '(integer<int>(a) + integer<int>(b)):int'],
    ['void f(int a, unsigned long b) { a < b; }', '(integer<unsigned long>(a) < b):int'],
    ['void f(int a, float b) { a * b; }', '(integer-to-float<float>(a) * b):float'],
    ['void f(unsigned char c, long n) { c << n; }', '(integer<int>(c) << n):int'],
    ['int a[3]; void f(void) { a[1]; }', 'array-to-pointer<int *>(a)[1]'],
    ['int a[3]; void f(void) { 1[a]; }', 'array-to-pointer<int *>(a)[1]'],
    ['void f(char *p) { p = 0; }', 'p = null-to-pointer<char *>(0)'],
    ['void f(char *p, void *q) { p = q; }', 'p = pointer<char *>(q)'],
    ['void f(char *p) { p + 1; }', '(p ptr+ 1)'],
    ['void f(char *p, char *q) { p - q; }', '(p ptr- q):long'],
    ['void f(_Bool b, double d) { b = d; }', 'b = to-bool<_Bool>(d)'],
    ['void f(char c) { c += 1.5; }', 'c +=<double> 1.5'],
    ['void f(char c) { c >>= 1L; }', 'c >>=<int> 1'],
    ['void f(int *p) { p += 2; }', 'p +=<int *> 2'],
    ['struct s { unsigned a : 3; } x; void f(void) { x.a - 1; }', '(integer<int>(x.a) - 1):int'],
    ['struct s { unsigned a : 32; } x; void f(void) { x.a - 1; }', '(x.a - integer<unsigned int>(1)):unsigned int'],
    ['void f(int c, char *p) { c ? p : 0; }', '(c ? p : null-to-pointer<char *>(0)):char *'],
    ['void f(int c, long d) { c ?: d; }', '(c ?  : d):long'],
    [
      'void g(long, ...); void f(char c, float x) { g(c, c, x); }',
      'g(integer<long>(c), integer<int>(c), float<double>(x))',
    ],
    ['void g(void); void f(void) { (*&g)(); }', 'g()'],
    ['void f(void (*p)(void)) { (**p)(); }', 'p()'],
    ['struct s { struct { int x; }; }; void f(struct s *p) { p->x; }', '*p.<anonymous>.x'],
    ['_Atomic int a; void f(void) { a++; }', 'a++'],
    [
      '_Atomic long a; void f(void) { __atomic_fetch_add(&a, 1, 5); }',
      '__atomic_fetch_add(&a, integer<long>(1), 5):long',
    ],
    [
      'void f(int *p) { __sync_bool_compare_and_swap(p, 0, 1L); }',
      '__sync_bool_compare_and_swap(p, 0, integer<int>(1)):_Bool',
    ],
    ['void f(void *p) { __builtin_memset(p, 0, 3); }', 'memset(p, 0, integer<unsigned long>(3))'],
    ['void f(void) { __builtin_strlen("ab"); }', 'strlen(pointer<const char *>(array-to-pointer<char *>("ab")))'],
    ['void f(void) { sizeof(int) + 1; }', '(4 + integer<unsigned long>(1)):unsigned long'],
  ])('%s', (text, expected) => {
    expect(lastExpression(text)).toBe(expected);
  });

  it('follow the data model', () => {
    const text = 'void f(unsigned a, long b) { a + b; }';
    expect(lastExpression(text, 'LP64')).toBe('(integer<long>(a) + b):long');
    expect(lastExpression(text, 'ILP32')).toBe('(integer<unsigned long>(a) + integer<unsigned long>(b)):unsigned long');
  });
});

/** An initializer as braces with places. */
function braces(initializer: Initializer | null): string {
  if (initializer === null) return '-';
  switch (initializer.kind) {
    case 'scalar':
      return sketch(initializer.value);
    case 'characters':
      return sketch(initializer.value);
    case 'array': {
      const place = (first: number, last: number): string => (first === last ? `${first}` : `${first}..${last}`);
      return `{${initializer.items.map(({ first, last, value }) => `[${place(first, last)}]${braces(value)}`).join(' ')}}`;
    }
    case 'record':
      return `{${initializer.items.map(({ field, value }) => `.${field.name ?? '?'}${braces(value)}`).join(' ')}}`;
  }
}

describe('initializers', () => {
  it.each([
    ['int x[2][2] = { 1, 2, 3 };', '{[0]{[0]1 [1]2} [1]{[0]3}}'],
    ['int x[3] = { [2] = 1, [0] = 2, 3 };', '{[0]2 [1]3 [2]1}'],
    ['int x[10] = { [0 ... 9] = 1, [4] = 2 };', '{[0..3]1 [4]2 [5..9]1}'],
    ['int x[100000000] = { 1 };', '{[0]1}'],
    ['char x[3] = "ab";', '"ab"'],
    ['char x[] = { "ab" };', '"ab"'],
    ['struct { int a; struct { int b, c; } d; } x = { 1, 2, 3 };', '{.a1 .d{.b2 .c3}}'],
    ['struct { int a; union { int b; char c[2]; }; } x = { .c = "a", .a = 1 };', '{.a1 .?{.c"a"}}'],
    ['struct s { int a, b; } y[2], x[2] = { [1].b = 3, [0] = { 1, 2 } };', '{[0]{.a1 .b2} [1]{.b3}}'],
    ['union { int a; char b; } x = { .b = 1, .a = 2 };', '{.a2}'],
    ['struct { int : 3; int a; } x = { 1 };', '{.a1}'],
    ['struct { int n; char t[]; } x = { 1, "abc" };', '{.n1 .t"abc"}'],
    ['int y; int *x = &y;', '&y'],
  ])('%s', (text, expected) => {
    expect(braces(variable(check(text), 'x').initializer).replace(/integer<char>\((\d+)\)/g, '$1')).toBe(expected);
  });

  it('complete the array type', () => {
    expect(printType(variable(check('int x[] = { [5] = 1, 2 };'), 'x').type)).toBe('int [7]');
    expect(printType(variable(check('char x[] = "ab";'), 'x').type)).toBe('char [3]');
  });
});

describe('cleanups', () => {
  it.each([
    ['goto in; { int x CLEANUP = 1; in:; }', 'a jump into the scope of a variable with a cleanup'],
    ['{ int x CLEANUP = 1; } goto in; int y CLEANUP = 1; in:;', 'a jump into the scope of a variable with a cleanup'],
    ['switch (n) { int x CLEANUP; case 1:; }', 'a switch into the scope of a variable with a cleanup'],
    ['switch (n) { case 1:; int x CLEANUP = 1; default:; }', 'a switch into the scope of a variable with a cleanup'],
    ['for (int x CLEANUP = 1; n; ) in: n = 0; goto in;', 'a jump into the scope of a variable with a cleanup'],
    [
      'void *p = &&out; { int x CLEANUP = 1; goto *p; } out:;',
      "a computed 'goto' in a function with a cleanup attribute",
    ],
    ['int x CLEANUP __attribute__((cleanup(f))) = 1;', "a second attribute 'cleanup' of one declaration"],
  ])('refuse what compilers differ on: %s', (body, what) => {
    const text = `#define CLEANUP __attribute__((cleanup(f)))\nvoid f(int *p); void g(int n) { ${body} }`;
    const { program, diagnostics } = readProgram({ fileName: 'program.c', text, dataModel: 'LP64' });
    expect(program).toBeNull();
    expect(diagnostics.map(({ message }) => message)).toEqual([`${what} is not supported`]);
  });
});

describe('hostile input', () => {
  it.each([
    ['a long sum', `int x = ${Array(50_000).fill('1').join(' + ')};`],
    ['a long comma chain', `int f(int a) { return (${Array(50_000).fill('a').join(', ')}); }`],
    ['a long else-if chain', `int f(int a) { ${Array(5000).fill('if (a) return 1;').join(' else ')} return 0; }`],
    ['a record whose copies double', `struct s0 { int a; };\n${doubling(40)}void f(struct s40 *p) { *p = *p; }`],
  ])('is read: %s', (_name, text) => {
    expect(readProgram({ fileName: 'big.c', text, dataModel: 'LP64' }).diagnostics).toEqual([]);
  });

  it('is refused without a crash', () => {
    const texts = [
      'int a[0x7fffffffffffffff];',
      `struct s0 { int a; };\n${doubling(70)}`,
      'struct s { struct s { int a; } b; };',
    ];
    for (const text of texts) {
      expect(readProgram({ fileName: 'bad.c', text, dataModel: 'LP64' }).program).toBeNull();
    }
  });
});

function doubling(times: number): string {
  return Array.from({ length: times }, (_, i) => `struct s${i + 1} { struct s${i} a, b; };\n`).join('');
}

describe('words of verifiers', () => {
  it('need no declaration', () => {
    const text = 'void f(int x) { __CPROVER_assume(x); __ESBMC_assert(x, "x"); }';
    expect(readProgram({ fileName: 'test.c', text, dataModel: 'LP64' }).diagnostics).toEqual([]);
  });

  it('include labels that start threads, unless somebody jumps out of their statements', () => {
    expect(() => check('void f(void); int main(void) { __CPROVER_ASYNC_1: f(); return 0; }')).not.toThrow();
    const started = (statement: string) => () =>
      check(`int main(int n, char **v) { int a[n]; for (;;) { __CPROVER_ASYNC_1: ${statement} } out: return a[0]; }`);
    for (const inside of ['return 0;', '{ while (n) { if (n) break; continue; } }', '{ again: if (n) goto again; }'])
      expect(started(inside)).not.toThrow();
    for (const outside of ['break;', '{ if (n) continue; }', 'goto out;'])
      expect(started(outside)).toThrow('a jump out of a statement that runs asynchronously is not supported');
    expect(started('a[0] = 1;')).toThrow(
      "'a', a large array that an asynchronous statement mentions, is not supported",
    );
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { requireTool } from '../../../test/support/tools.ts';
import type { DataModel } from '../../program/data-model.ts';
import { evaluateConstant } from '../../program/evaluate-constant.ts';
import { printType } from '../../program/print-type.ts';
import type { Program } from '../../program/tree.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { readProgram } from '../front-end.ts';

const literals = [
  '0', '1', '2', '7', '31', '127', '128', '255', '256', '32767', '65535', '2147483647', '2147483648', '4294967295', '4294967296',
  '0x7fffffff', '0x80000000', '0xffffffff', '0x100000000', '9223372036854775807', '0x8000000000000000', '0xffffffffffffffff',
  '1u', '3U', '5l', '6L', '7ul', '8LU', '9ll', '10LL', '11ull', '12LLU', '017', '0777', '0b101', '037777777777',
  "'a'", "'\\n'", "'\\0'", "'\\x41'", "'\\377'", "'\\xff'", "'ab'", "'abcd'", "L'x'", "L'\\xffff'", "u'\\xffff'", "U'\\xffffffff'", "'\\''", "'\"'",
  'sizeof(int)', 'sizeof(long)', 'sizeof(char *)', 'sizeof(struct s)', '_Alignof(double)', '__alignof__(double)', '_Alignof(struct s)',
  '__builtin_offsetof(struct s, b)', '__builtin_offsetof(struct s, c[2])', '(int)&((struct s *)0)->c', 'A', 'B', 'BIG', 'NEGATIVE',
  'sizeof("abc")', 'sizeof(L"abc" "d")', 'sizeof(u"ab")', 'sizeof("\\u00e9")', 'sizeof(U"\\U0001F600")', 'sizeof(u8"é")',
  '(int)1.5', '(long)2.5e3', '(int)0x1.8p3', '(int)1e2f', '__builtin_types_compatible_p(int, const int)', '__builtin_constant_p(3)',
  '_Generic(1L, int: 1, long: 2, default: 3)', '_Generic("a", char *: 4, default: 5)', '__builtin_choose_expr(1, 6, "x")',
  'sizeof(int[3][4])', 'sizeof(1 ? (char)1 : (short)2)', "sizeof('a')", 'sizeof(L\'a\')', 'sizeof(1.0f)', 'sizeof(1.0L)',
  '__builtin_popcount(0xf0f0)', '__builtin_clz(1)', '__builtin_ctzll(8)', '__builtin_bswap32(0x12345678)', '__builtin_ffs(12)',
]; // biome-ignore format: a table
const casts = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
  'enum e',
];
const binary = ['+', '-', '*', '/', '%', '<<', '>>', '<', '>', '<=', '>=', '==', '!=', '&', '^', '|', '&&', '||'];

const prologue = `enum e { A, B = 5, C };
enum big { BIG = 0x100000000LL, NEGATIVE = -3 };
struct s { char a; double b; short c[5]; long long d : 40; };
`;

function randomExpression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(1, 6)) return random.pick(literals);
  const inner = (): string => randomExpression(random, depth - 1);
  switch (random.below(8)) {
    case 0:
      if (random.chance(1, 4))
        return `((${random.pick(casts)})((${random.pick(['float', 'double'])})(${inner()}) / 3))`;
      return `((${random.pick(casts)})(${inner()}))`;
    case 1:
      return `(${random.pick(['-', '~', '!', '+'])}(${inner()}))`;
    case 2:
      return `((${inner()}) ? (${inner()}) : (${inner()}))`;
    default:
      return `((${inner()}) ${random.pick(binary)} (${inner()}))`;
  }
}

/** The value (made a long long) and the type of each expression, where it is an integer constant. */
function evaluateAll(program: Program, model: DataModel): Map<number, { value: bigint; type: string }> {
  const types = new Map<number, string>();
  const values = new Map<number, bigint>();
  for (const item of program.items) {
    if (item.kind !== 'function') continue;
    for (const statement of item.definition.body.items) {
      if (statement.kind !== 'declaration' || statement.item.kind !== 'variable') continue;
      const { symbol } = statement.item;
      const index = Number(symbol.name.slice(1));
      if (symbol.name.startsWith('t')) types.set(index, printType(symbol.type, '', { useAliases: false }));
      else if (symbol.initializer?.kind === 'scalar') {
        const constant = evaluateConstant(symbol.initializer.value, model);
        if (constant?.kind === 'integer') values.set(index, constant.value);
      }
    }
  }
  return new Map([...values].map(([index, value]) => [index, { value, type: types.get(index) ?? '' }]));
}

describe.each(['ILP32', 'LP64'] as const)('constant expressions on %s', (model) => {
  it.each([1, 2])(
    'have the values and types that gcc gives them (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      const expressions = [...literals];
      for (let i = 0; i < 600; i++) expressions.push(randomExpression(random, 1 + random.below(3)));
      const body = expressions.map((text, i) => `  __typeof__(${text}) t${i}; long long v${i} = (long long)(${text});`);
      const text = `${prologue}void f(void) {\n${body.join('\n')}\n}\n`;
      const { program } = readProgram({ fileName: 'constants.c', text, dataModel: model });
      if (program === null) throw new Error('the expressions are not accepted');
      const results = evaluateAll(program, model);
      expect(results.size).toBeGreaterThan(250);
      const gcc = requireTool(model === 'ILP32' ? 'gcc -m32' : 'gcc');
      if (gcc === null) return;
      const checks = [...results].map(([i, { value, type }]) => {
        const number = value === -(1n << 63n) ? '(-9223372036854775807LL - 1)' : `${value}LL`;
        return `_Static_assert((long long)(${expressions[i]}) == ${number}, "value");\n_Static_assert(_Generic((${expressions[i]}), ${type}: 1, default: 0), "type");`;
      });
      const option = model === 'ILP32' ? '-m32' : '-m64';
      const run = (): string =>
        execFileSync(gcc, [option, '-w', '-fsyntax-only', '-x', 'c', '-'], {
          input: prologue + checks.join('\n'),
          encoding: 'utf8',
          stdio: ['pipe', 'pipe', 'pipe'],
        });
      expect(run).not.toThrow();
    },
    30_000,
  );
});

/**
 * Builtins about bits that CBMC 5.12 does not know, by one that it knows: parity, trailing zeros and the first one are
 * numbers of ones. As in the embedded engine, ctz(x) is popcount(~x & (x - 1)), here without the complement: x ^ (x -
 * 1) has one more.
 */

import { arithmetic, builtin, cast, comparison, integer } from '../../program/build-tree.ts';
import type { Builtin } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { integerType, intType } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { simplifyValue } from './expressions.ts';
import type { Simplifier } from './simplifier.ts';

const UNSIGNED = { '': 'unsigned int', l: 'unsigned long', ll: 'unsigned long long' } as const;

export function simplifyBits(
  s: Simplifier,
  { name, args, loc }: Builtin,
  meaning: 'parity' | 'trailing-zeros' | 'first-one',
): Expression {
  const suffix = /l{0,2}$/.exec(name)?.[0] ?? '';
  const type = integerType(UNSIGNED[suffix as keyof typeof UNSIGNED]);
  const as = (value: Expression, to: Type) => cast(value, to, 'integer', loc, false);
  const x = s.save(as(simplifyValue(s, args[0] as Expression), type));
  const one = integer(1, loc);
  const ones = (of: Expression) => builtin(`__builtin_popcount${suffix}`, [of], loc, intType);
  if (meaning === 'parity') return arithmetic('&', ones(x), one, loc);
  const first = ones(arithmetic('^', x, arithmetic('-', x, integer(1, loc, type), loc), loc));
  if (meaning === 'trailing-zeros') return arithmetic('-', first, one, loc);
  // Of 0, all bits are counted: the first one is at 0 then.
  return arithmetic('*', first, comparison('!=', x, integer(0, loc, type), loc), loc);
}

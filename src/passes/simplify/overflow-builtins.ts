/**
 * `__builtin_add_overflow(a, b, &r)` and its like, in plain C: computed in a type that is wide enough for any result,
 * cut to the type of r, and compared with what was cut (overflow-in-words.ts does without such a type). Not every
 * backend knows them: CBMC 5.12 takes them for functions that do nothing. Those of 128 bits are refused: there is no
 * wider type.
 */

import { arithmetic, assign, cast, comparison, dereference } from '../../program/build-tree.ts';
import { integerWidth, isSignedName } from '../../program/integer-range.ts';
import type { Builtin } from '../../program/primitives.ts';
import type { ArithmeticOperator, Expression } from '../../program/tree.ts';
import { integerType, isInteger, unqualified } from '../../program/type-operations.ts';
import type { IntegerName, Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import { simplifyList } from './expressions.ts';
import { simplifyInWords } from './overflow-in-words.ts';
import type { Simplifier } from './simplifier.ts';

const OPERATORS = { 'add-overflow': '+', 'sub-overflow': '-', 'mul-overflow': '*' } as const;

/** Whether the result did not fit. */
export function simplifyOverflow(
  s: Simplifier,
  { name, args, loc }: Builtin,
  meaning: keyof typeof OPERATORS,
): Expression {
  const operator = OPERATORS[meaning];
  const [left, right, pointer] = simplifyList(s, args).map((value) => s.save(value));
  invariant(left && right && pointer, 'three arguments');
  const target = dereference(pointer, loc);
  const types = [left.type, right.type, target.type];
  if (types.some((type) => integerWidth(nameOf(type), s.model) > 64)) s.refuse(`${name} of 128 bits is`, loc);
  if (s.model === 'ILP32' && types.some((type) => integerWidth(nameOf(type), s.model) > 32)) {
    const { cut, overflows } = simplifyInWords(s, operator, [left, right], target.type, loc);
    s.store(target, cut, loc);
    return overflows;
  }
  const wide = wideType(s, types, operator);
  const as = (value: Expression, type: Type) => cast(value, type, 'integer', loc, false);
  const exact = s.newTemporary(wide, loc);
  s.emit(assign(exact, arithmetic(operator, as(left, wide), as(right, wide), loc), loc));
  const cut = s.newTemporary(target.type, loc);
  s.emit(assign(cut, as(exact, unqualified(target.type)), loc));
  s.store(target, cut, loc);
  return comparison('!=', as(cut, wide), exact, loc);
}

function wideType(s: Simplifier, types: readonly Type[], operator: ArithmeticOperator): Type {
  const names = types.map(nameOf);
  const isNarrow = names.every((name) => integerWidth(name, s.model) <= 32);
  const isSigned = operator === '-' || names.some(isSignedName);
  if (isNarrow) return integerType(isSigned ? 'long long' : 'unsigned long long');
  return integerType(isSigned ? '__int128' : 'unsigned __int128');
}

function nameOf(type: Type): IntegerName {
  if (type.kind === 'enum') return 'unsigned int';
  invariant(isInteger(type) && type.kind === 'integer', 'an operand that is an integer');
  return type.name;
}

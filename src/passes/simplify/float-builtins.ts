/**
 * Builtins about floating-point values that verifiers do not know, said by comparisons, as in the embedded engine
 * (lower/float-builtins.ts). Comparisons raise no exceptions here, so that quiet ones are the plain ones.
 */

import { comparison, converted, negated } from '../../program/build-tree.ts';
import type { Builtin } from '../../program/primitives.ts';
import type { Expression } from '../../program/tree.ts';
import { floatType, intType } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import { simplifyList } from './expressions.ts';
import type { Simplifier } from './simplifier.ts';

const COMPARISONS = { isgreater: '>', isgreaterequal: '>=', isless: '<', islessequal: '<=' } as const;

export function simplifyFloat(
  s: Simplifier,
  node: Builtin,
  meaning: keyof typeof COMPARISONS | 'islessgreater' | 'isunordered' | 'isnormal' | 'isfinite' | 'fpclassify',
): Expression {
  const { loc } = node;
  if (meaning === 'fpclassify') return classify(s, node);
  const [x, y = x] = operands(s, node) as [Expression, Expression?];
  switch (meaning) {
    case 'isnormal':
      return isNormal(x, loc);
    case 'isfinite':
      return isWithin(x, largest(x.type), loc);
    case 'isunordered':
      return either(isNan(x), isNan(y));
    case 'islessgreater':
      return either(comparison('<', x, y, loc), comparison('>', x, y, loc));
    default:
      return comparison(COMPARISONS[meaning], x, y, loc);
  }
}

/** The operands, computed once, in the larger of their types. */
function operands(s: Simplifier, node: Builtin): Expression[] {
  const values = simplifyList(s, node.args);
  const isDouble = values.some(({ type }) => type.kind !== 'float' || type.name !== 'float');
  const type = floatType(isDouble ? 'double' : 'float');
  return values.map((value) => s.save(converted(value, type)));
}

/** `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, value)`: the number that fits. */
function classify(s: Simplifier, node: Builtin): Expression {
  const { loc } = node;
  const values = simplifyList(s, node.args).map((value) => s.save(value));
  const [nan, infinite, normal, subnormal, zero, x] = values as [
    Expression,
    Expression,
    Expression,
    Expression,
    Expression,
    Expression,
  ];
  const isZero = comparison('==', x, float(0, x.type, loc), loc);
  const small = choose(isZero, zero, choose(isSmall(x, loc), subnormal, normal));
  return choose(isNan(x), nan, choose(isWithin(x, largest(x.type), loc), small, infinite));
}

function isNormal(x: Expression, loc: Loc): Expression {
  return both(isWithin(x, largest(x.type), loc), negated(isSmall(x, loc), loc));
}

function isNan(x: Expression): Expression {
  return comparison('!=', x, x, x.loc);
}

function largest(type: Type): number {
  return isSingle(type) ? 2 ** 128 - 2 ** 104 : Number.MAX_VALUE;
}

function isSingle(type: Type): boolean {
  return type.kind === 'float' && type.name === 'float';
}

/** Nearer to zero than the least number that has all of its digits. */
function isSmall(x: Expression, loc: Loc): Expression {
  const least = isSingle(x.type) ? 2 ** -126 : 2 ** -1022;
  return both(comparison('<', x, float(least, x.type, loc), loc), comparison('>', x, float(-least, x.type, loc), loc));
}

function isWithin(x: Expression, limit: number, loc: Loc): Expression {
  return both(
    comparison('<=', x, float(limit, x.type, loc), loc),
    comparison('>=', x, float(-limit, x.type, loc), loc),
  );
}

function float(value: number, type: Type, loc: Loc): Expression {
  return { kind: 'float', value, spelling: null, type, loc };
}

function both(left: Expression, right: Expression): Expression {
  return { kind: 'logical', operator: '&&', left, right, type: intType, loc: left.loc };
}

function either(left: Expression, right: Expression): Expression {
  return { kind: 'logical', operator: '||', left, right, type: intType, loc: left.loc };
}

function choose(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { kind: 'conditional', condition, then, otherwise, type: intType, loc: condition.loc };
}

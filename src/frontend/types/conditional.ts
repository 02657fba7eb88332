/** The conditional operator (C 6.5.15), GNU's `a ?: b` included: the common type of its two sides. */

import type { Expression } from '../../program/tree.ts';
import {
  commonType,
  compatible,
  compositeType,
  isArithmetic,
  isInteger,
  pointerTo,
  qualifiersOf,
  sameType,
  unqualified,
  voidType,
  withExactQualifiers,
} from '../../program/type-operations.ts';
import type { PointerType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import { type Checker, errorExpression, isError, show, warn } from './checker.ts';
import { cast, convert, decay, isNullPointerConstant, promotedType } from './conversions.ts';
import { badOperands, checkCondition } from './operators.ts';

/** `condition ? then : otherwise`; a null `then` is GNU's `condition ?: otherwise`. */
export function checkConditional(
  c: Checker,
  test: Expression,
  first: Expression | null,
  second: Expression,
  loc: Loc,
): Expression {
  const condition = checkCondition(c, test, loc);
  const then = first === null ? condition : decay(first);
  const otherwise = decay(second);
  if (isError(condition) || isError(then) || isError(otherwise)) return errorExpression(loc);
  const type = conditionalType(c, then, otherwise, loc);
  if (type === null) return badOperands(c, '?:', then, otherwise, loc);
  const side = (value: Expression): Expression =>
    type.kind === 'void'
      ? value.type.kind === 'void'
        ? value
        : cast(value, 'to-void', voidType, true)
      : convert(c, value, type);
  return {
    kind: 'conditional',
    condition,
    then: first === null ? null : side(then),
    otherwise: side(otherwise),
    type,
    loc,
  };
}

function conditionalType(c: Checker, then: Expression, otherwise: Expression, loc: Loc): Type | null {
  const a = unqualified(then.type);
  const b = unqualified(otherwise.type);
  if (isArithmetic(a) && isArithmetic(b)) {
    return commonType(promotedType(c, then), promotedType(c, otherwise), c.model);
  }
  if (a.kind === 'void' || b.kind === 'void') return voidType;
  if (a.kind === 'record' && b.kind === 'record') return a.declaration === b.declaration ? a : null;
  if (a.kind === 'va-list' && b.kind === 'va-list') return a;
  if (a.kind === 'pointer' && b.kind === 'pointer') return commonPointer(c, then, otherwise, a, b, loc);
  if (a.kind === 'pointer' && isInteger(b)) return pointerOrInteger(c, otherwise, a, loc);
  if (b.kind === 'pointer' && isInteger(a)) return pointerOrInteger(c, then, b, loc);
  return null;
}

function pointerOrInteger(c: Checker, integer: Expression, pointer: Type, loc: Loc): Type {
  if (!isNullPointerConstant(c, integer)) {
    warn(c, loc, 'int-conversion', 'pointer/integer type mismatch in conditional expression');
  }
  return pointer;
}

function commonPointer(
  c: Checker,
  then: Expression,
  otherwise: Expression,
  a: PointerType,
  b: PointerType,
  loc: Loc,
): Type {
  if (sameType(a, b)) return a;
  if (isNullPointerConstant(c, otherwise)) return a;
  if (isNullPointerConstant(c, then)) return b;
  const qualifiers = qualifiersOf(a.target) | qualifiersOf(b.target);
  const bareA = unqualified(a.target);
  const bareB = unqualified(b.target);
  if (compatible(bareA, bareB)) return pointerTo(withExactQualifiers(compositeType(bareA, bareB), qualifiers));
  if (bareA.kind !== 'void' && bareB.kind !== 'void') {
    warn(
      c,
      loc,
      'incompatible-pointer-types',
      `pointer type mismatch in conditional expression (${show(a)} and ${show(b)})`,
    );
  }
  return pointerTo(withExactQualifiers(voidType, qualifiers));
}

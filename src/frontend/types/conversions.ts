/**
 * Conversions: an lvalue's decay, promotions, casts, and the rules for "as if by assignment" (initialisation,
 * arguments, return) with gcc's default warnings. Every implicit conversion becomes a `cast` node with
 * `implicit: true`.
 */

import { evaluateConstant, evaluateInteger } from '../../program/evaluate-constant.ts';
import {
  fitsInteger,
  integerNameOf,
  integerRank,
  integerSize,
  isSignedName,
  maximumOf,
  signedName,
  unsignedName,
} from '../../program/integer-range.ts';
import type { CastKind, Expression } from '../../program/tree.ts';
import {
  compatible,
  defaultPromoted,
  intType,
  isArithmetic,
  isBool,
  isInteger,
  isScalar,
  pointerTo,
  promoted,
  qualifiersOf,
  sameType,
  unqualified,
  withExactQualifiers,
} from '../../program/type-operations.ts';
import { QUALIFIER_ATOMIC, type RecordDeclaration, type Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import { type Checker, error, errorExpression, errorType, isError, refuse, show, warn } from './checker.ts';

// ---------------------------------------------------------------- values of lvalues

/** The expression as an operand: arrays and functions decay to pointers. */
export function decay(expression: Expression): Expression {
  const type = expression.type;
  if (type.kind === 'array') {
    markAddressTaken(expression);
    return cast(expression, 'array-to-pointer', pointerTo(type.element), true);
  }
  if (type.kind === 'function') return cast(expression, 'function-to-pointer', pointerTo(type), true);
  return expression;
}

/** Notes that the object which the lvalue is part of needs an address. */
export function markAddressTaken(lvalue: Expression): void {
  let at = lvalue;
  while (at.kind === 'member') at = at.object;
  if (at.kind === 'variable' || at.kind === 'compound-literal') at.symbol.addressTaken = true;
}

export function isLvalue(expression: Expression): boolean {
  switch (expression.kind) {
    case 'variable':
    case 'dereference':
    case 'index':
    case 'string':
    case 'compound-literal':
      return true;
    case 'member':
      return isLvalue(expression.object);
    default:
      return false;
  }
}

// ---------------------------------------------------------------- casts

export function cast(operand: Expression, castKind: CastKind, type: Type, implicit: boolean): Expression {
  return { kind: 'cast', castKind, type, operand, implicit, loc: operand.loc };
}

/** Converts a scalar (or a value of the same type) implicitly; no check that C allows it. */
export function convert(c: Checker, operand: Expression, type: Type): Expression {
  const from = operand.type;
  if (from === type || from === errorType) return operand;
  if (sameType(unqualified(from), type)) return operand;
  return cast(operand, castKindFor(c, operand, type), type, true);
}

/** How a scalar operand is converted to a type. */
export function castKindFor(c: Checker, operand: Expression, to: Type): CastKind {
  const from = operand.type;
  if (to.kind === 'void') return 'to-void';
  if (from.kind === 'complex' || to.kind === 'complex') return 'complex';
  if (sameType(unqualified(from), unqualified(to))) return to.kind === 'record' ? 'record' : 'qualification';
  if (isBool(to)) return 'to-bool';
  if (isInteger(to)) {
    if (from.kind === 'float') return 'float-to-integer';
    return from.kind === 'pointer' ? 'pointer-to-integer' : 'integer';
  }
  if (to.kind === 'float') return from.kind === 'float' ? 'float' : 'integer-to-float';
  if (isNullPointerConstant(c, operand)) return 'null-to-pointer';
  return isInteger(from) ? 'integer-to-pointer' : 'pointer';
}

/** An integer constant expression of value 0, or that cast to `void *` (C 6.3.2.3). */
export function isNullPointerConstant(c: Checker, expression: Expression): boolean {
  let at = expression;
  if (at.kind === 'cast' && at.type.kind === 'pointer') {
    const target = at.type.target;
    if (at.implicit || target.kind !== 'void' || target.qualifiers !== 0) return false;
    at = at.operand;
  }
  if (!isInteger(at.type)) return false;
  if (at.kind === 'integer') return at.value === 0n;
  if (at.kind === 'variable' || at.kind === 'member' || at.kind === 'call') return false;
  return evaluateInteger(at, c.model) === 0n;
}

/** The integer promotions; a bit-field narrower than int becomes an int whatever its type. */
export function promote(c: Checker, operand: Expression): Expression {
  return convert(c, operand, promotedType(c, operand));
}

export function promotedType(c: Checker, operand: Expression): Type {
  const type = operand.type;
  const width = bitFieldWidth(operand);
  if (width !== null && isInteger(type)) {
    const name = integerNameOf(type);
    const narrow = width < 32 || (width === 32 && !name.startsWith('unsigned'));
    if (narrow && integerRank(name) >= integerRank('int') && integerSize(name, c.model) >= 4) return intType;
  }
  return promoted(type);
}

/** Of a bit-field, also of what an assignment to it gives, as gcc has it; null for everything else. */
function bitFieldWidth(operand: Expression): number | null {
  let at = operand;
  for (;;) {
    if (at.kind === 'assignment' || at.kind === 'compound-assignment' || at.kind === 'increment') at = at.target;
    else if (at.kind === 'comma') at = at.right;
    else return at.kind === 'member' ? (at.field.bits?.width ?? null) : null;
  }
}

/** The default argument promotions. */
export function promoteArgument(c: Checker, operand: Expression): Expression {
  const decayed = decay(operand);
  const type = decayed.type;
  if (type.kind === 'float') return convert(c, decayed, defaultPromoted(type));
  return isInteger(type) ? promote(c, decayed) : decayed;
}

// ---------------------------------------------------------------- as if by assignment

/** What is assigned, for messages: 'assignment', 'initialization', 'return', or the argument of a call. */
export interface AssignmentContext {
  readonly what: string;
  readonly loc: Loc;
}

/** Converts a value to the type of what it is stored in, with gcc's errors and warnings. */
export function convertAssigned(c: Checker, value: Expression, target: Type, context: AssignmentContext): Expression {
  if (target === errorType || isError(value)) return value;
  const operand = decay(value);
  const to = unqualified(target);
  const from = operand.type;
  if (to.kind === 'complex' || from.kind === 'complex') {
    refuse(c, context.loc, 'arithmetic on complex numbers');
    return errorExpression(operand.loc);
  }
  if (from === to) return operand;
  if (isArithmetic(to) && isArithmetic(from)) {
    warnAboutOverflow(c, operand, to, context);
    return convert(c, operand, to);
  }
  if (to.kind === 'pointer') return convertToPointer(c, operand, to, context);
  if (isInteger(to) && from.kind === 'pointer') {
    if (!isBool(to)) {
      warn(
        c,
        context.loc,
        'int-conversion',
        `${context.what} makes integer from pointer without a cast (${show(to)} from ${show(from)})`,
      );
    }
    return convert(c, operand, to);
  }
  if (to.kind === 'record' && !(from.kind === 'record' && from.declaration === to.declaration)) {
    const member = to.declaration.transparent ? transparentMember(c, to.declaration, operand) : null;
    if (member !== null) return cast(convert(c, operand, member), 'to-union', to, true);
  }
  if (compatible(unqualified(from), to)) return operand;
  return mismatch(c, operand, to, context);
}

function mismatch(c: Checker, operand: Expression, to: Type, context: AssignmentContext): Expression {
  const from = operand.type;
  const message =
    from.kind === 'void'
      ? `${context.what}: a void value is used where ${show(to)} is expected`
      : `incompatible types in ${context.what}: ${show(to)} from ${show(from)}`;
  error(c, context.loc, 'type-mismatch', message);
  return errorExpression(operand.loc);
}

function convertToPointer(
  c: Checker,
  operand: Expression,
  to: Type & { kind: 'pointer' },
  context: AssignmentContext,
): Expression {
  const from = operand.type;
  if (isInteger(from)) {
    if (!isNullPointerConstant(c, operand)) {
      warn(
        c,
        context.loc,
        'int-conversion',
        `${context.what} makes pointer from integer without a cast (${show(to)} from ${show(from)})`,
      );
    }
    return convert(c, operand, to);
  }
  if (from.kind !== 'pointer') return mismatch(c, operand, to, context);
  if (!isNullPointerConstant(c, operand)) warnAboutPointers(c, from.target, to.target, context);
  return convert(c, operand, to);
}

function warnAboutPointers(c: Checker, from: Type, to: Type, context: AssignmentContext): void {
  // An atomic type is a type of its own, the other qualifiers may differ.
  const bareFrom = withExactQualifiers(from, qualifiersOf(from) & QUALIFIER_ATOMIC);
  const bareTo = withExactQualifiers(to, qualifiersOf(to) & QUALIFIER_ATOMIC);
  const oneIsVoid = from.kind === 'void' || to.kind === 'void';
  if (!oneIsVoid && !compatible(bareFrom, bareTo) && !differOnlyInSign(bareFrom, bareTo)) {
    warn(
      c,
      context.loc,
      'incompatible-pointer-types',
      `${context.what} from incompatible pointer type (${show(pointerTo(to))} from ${show(pointerTo(from))})`,
    );
    return;
  }
  const lost = qualifiersOf(from) & ~qualifiersOf(to) & ~QUALIFIER_ATOMIC;
  if (lost !== 0 && from.kind !== 'function') {
    warn(
      c,
      context.loc,
      'discarded-qualifiers',
      `${context.what} discards qualifiers from the pointer's target type ${show(from)}`,
    );
  }
}

/** gcc does not warn about these by default (-Wpointer-sign is part of -Wall). */
function differOnlyInSign(a: Type, b: Type): boolean {
  if (!isInteger(a) || !isInteger(b) || a.qualifiers !== b.qualifiers) return false;
  return integerRank(integerNameOf(a)) === integerRank(integerNameOf(b));
}

/** The member type of a transparent union that takes the argument. */
function transparentMember(c: Checker, declaration: RecordDeclaration, operand: Expression): Type | null {
  const from = unqualified(operand.type);
  const fields = declaration.fields ?? [];
  const exact = fields.find((field) => compatible(unqualified(field.type), from));
  if (exact) return unqualified(exact.type);
  for (const field of fields) {
    const type = unqualified(field.type);
    if (type.kind !== 'pointer') continue;
    if (isNullPointerConstant(c, operand)) return type;
    if (from.kind !== 'pointer') continue;
    if (from.target.kind === 'void' || type.target.kind === 'void') return type;
    if (compatible(unqualified(from.target), unqualified(type.target))) return type;
  }
  return null;
}

/** -Woverflow: an integer constant that its new type cannot hold. A change of sign alone is not reported, as in gcc. */
function warnAboutOverflow(c: Checker, operand: Expression, to: Type, context: AssignmentContext): void {
  if (!isInteger(to) || isBool(to)) return;
  if (
    operand.kind !== 'integer' &&
    operand.kind !== 'float' &&
    operand.kind !== 'unary' &&
    operand.kind !== 'arithmetic'
  )
    return;
  const constant = evaluateConstant(operand, c.model);
  if (constant?.kind !== 'integer') return;
  const name = integerNameOf(to);
  if (fitsInteger(constant.value, name, c.model)) return;
  // The same bits with another sign are not reported.
  const magnitude = maximumOf(isSignedName(name) ? unsignedName(name) : signedName(name), c.model);
  const onlySign = constant.value < 0n ? -constant.value <= magnitude + 1n : constant.value <= magnitude;
  if (onlySign) return;
  warn(
    c,
    context.loc,
    'overflow',
    `overflow in conversion from ${show(operand.type)} to ${show(to)} changes value from '${constant.value}'`,
  );
}

// ---------------------------------------------------------------- explicit casts

/** `(type) operand`, with C's constraints. */
export function checkCast(c: Checker, value: Expression, type: Type, loc: Loc): Expression {
  if (isError(value) || type === errorType) return errorExpression(loc);
  const at = (operand: Expression, castKind: CastKind): Expression => ({
    kind: 'cast',
    castKind,
    type: unqualified(type),
    operand,
    implicit: false,
    loc,
  });
  if (type.kind === 'void') return at(decay(value), 'to-void');
  const operand = decay(value);
  const from = operand.type;
  if (type.kind === 'record') return checkRecordCast(c, operand, type, loc, at);
  if (from.kind === 'complex' || type.kind === 'complex') {
    refuse(c, loc, 'arithmetic on complex numbers');
    return errorExpression(loc);
  }
  if (from.kind === 'va-list' && type.kind === 'va-list') return at(operand, 'qualification');
  if (!isScalar(type)) {
    error(c, loc, 'type-mismatch', `cast to ${show(type)}, which is not a scalar type`);
    return errorExpression(loc);
  }
  if (!isScalar(from)) {
    error(c, loc, 'type-mismatch', `a value of type ${show(from)} cannot be converted to ${show(type)}`);
    return errorExpression(loc);
  }
  if ((from.kind === 'float' && type.kind === 'pointer') || (from.kind === 'pointer' && type.kind === 'float')) {
    error(c, loc, 'type-mismatch', `${show(from)} cannot be converted to ${show(type)}`);
    return errorExpression(loc);
  }
  warnAboutCastSize(c, operand, type, loc);
  return at(operand, castKindFor(c, operand, unqualified(type)));
}

function checkRecordCast(
  c: Checker,
  operand: Expression,
  type: Type & { kind: 'record' },
  loc: Loc,
  at: (operand: Expression, castKind: CastKind) => Expression,
): Expression {
  const from = operand.type;
  if (from.kind === 'record' && from.declaration === type.declaration) return at(operand, 'record');
  if (type.declaration.isUnion) {
    const bare = unqualified(from);
    const member = type.declaration.fields?.find((field) => compatible(unqualified(field.type), bare));
    if (member) return at(operand, 'to-union');
  }
  error(c, loc, 'type-mismatch', `conversion from ${show(from)} to ${show(type)}, which is not a scalar type`);
  return errorExpression(loc);
}

function warnAboutCastSize(c: Checker, operand: Expression, type: Type, loc: Loc): void {
  const from = operand.type;
  const word = c.model === 'ILP32' ? 4 : 8;
  if (from.kind === 'pointer' && isInteger(type) && !isBool(type)) {
    if (integerSize(integerNameOf(type), c.model) !== word) {
      warn(c, loc, 'pointer-to-int-cast', `cast from pointer to integer of different size (${show(type)})`);
    }
  } else if (type.kind === 'pointer' && isInteger(from) && evaluateInteger(operand, c.model) === null) {
    if (integerSize(integerNameOf(from), c.model) !== word) {
      warn(c, loc, 'int-to-pointer-cast', `cast to pointer from integer of different size (${show(from)})`);
    }
  }
}

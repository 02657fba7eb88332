/**
 * Which implicit casts need not be written. The typed tree makes every conversion explicit; in C text, the context
 * converts again what it converts anyway. Each function here takes an operand as the tree has it and returns what to
 * write in a certain context: the operand without the casts that reading the text would bring back. A cast that would
 * not come back the same stays, and is then written out. So the text has the meaning of the tree for any tree, also for
 * one made by a pass.
 *
 * An implicit conversion that C forbids (gcc warns: integer to pointer, unrelated pointers) is written out too.
 */

import type { DataModel } from '../../program/data-model.ts';
import { integerRank, integerWidth, isSignedName, unsignedName } from '../../program/integer-range.ts';
import type { Expression } from '../../program/tree.ts';
import { compatible, unqualified } from '../../program/type-operations.ts';
import type { FloatName, IntegerName, Type } from '../../program/types.ts';

type Cast = Extract<Expression, { kind: 'cast' }>;

const FLOAT_ORDER: readonly FloatName[] = [
  '_Float16',
  'float',
  '_Float32',
  'double',
  '_Float32x',
  '_Float64',
  'long double',
  '_Float64x',
  '_Float128',
];

function integerName(type: Type): IntegerName | null {
  if (type.kind === 'integer') return type.name;
  return type.kind === 'enum' ? type.declaration.underlying : null;
}

/** The type's name after promotion, for arithmetic types: a bit-field promotes by its width. */
function promotedName(expression: Expression, model: DataModel): IntegerName | FloatName | null {
  const { type } = expression;
  if (type.kind === 'float') return type.name;
  const name = integerName(type);
  if (name === null) return null;
  if (expression.kind === 'member' && expression.field.bits !== null) {
    const { width } = expression.field.bits;
    if (width < 32 || (width === 32 && isSignedName(name))) return 'int';
  }
  return integerWidth(name, model) < 32 ? 'int' : name;
}

/** The usual arithmetic conversions, by names. */
function commonName(left: Expression, right: Expression, model: DataModel): IntegerName | FloatName | null {
  const a = promotedName(left, model);
  const b = promotedName(right, model);
  if (a === null || b === null) return null;
  const floats = FLOAT_ORDER.filter((name) => name === a || name === b);
  if (floats.length > 0) return floats[floats.length - 1] ?? null;
  return commonInteger(a as IntegerName, b as IntegerName, model);
}

function commonInteger(a: IntegerName, b: IntegerName, model: DataModel): IntegerName {
  if (integerRank(a) === integerRank(b)) return isSignedName(a) ? b : a;
  const [low, high] = integerRank(a) < integerRank(b) ? [a, b] : [b, a];
  if (isSignedName(low) || !isSignedName(high)) return high;
  return integerWidth(high, model) > integerWidth(low, model) ? high : unsignedName(high);
}

function arithmeticName(type: Type): IntegerName | FloatName | null {
  return type.kind === 'float' ? type.name : integerName(type);
}

/** Whether every value of the first type is one of the second. */
function isValueKept(from: Type, to: Type, model: DataModel): boolean {
  if (from.kind === 'float' && to.kind === 'float') {
    return FLOAT_ORDER.indexOf(from.name) <= FLOAT_ORDER.indexOf(to.name);
  }
  const source = integerName(from);
  const target = integerName(to);
  if (source === null || target === null) return false;
  const [narrow, wide] = [integerWidth(source, model), integerWidth(target, model)];
  if (isSignedName(source) === isSignedName(target)) return narrow <= wide;
  return !isSignedName(source) && narrow < wide;
}

/** Whether converting to `to` directly gives the same as doing it by way of `middle`. */
function isDetour(from: Type, middle: Type, to: Type, model: DataModel): boolean {
  if (isValueKept(from, middle, model)) return true;
  const [a, b, c] = [integerName(from), integerName(middle), integerName(to)];
  if (a === null || b === null || c === null || b === '_Bool' || c === '_Bool') return false;
  return integerWidth(b, model) >= integerWidth(c, model);
}

/** Leaves out what C does to every operand by itself: decay, and changes of qualifiers or of alias alone. */
export function bare(expression: Expression): Expression {
  let result = expression;
  while (result.kind === 'cast' && result.implicit && isNoConversion(result)) result = result.operand;
  return result;
}

function isNoConversion(cast: Cast): boolean {
  switch (cast.castKind) {
    case 'array-to-pointer':
    case 'function-to-pointer':
    case 'qualification':
    case 'record':
      return true;
    default:
      return false;
  }
}

/** Leaves out all implicit arithmetic conversions that one conversion to the type of the whole makes up for. */
function bareArithmetic(expression: Expression, model: DataModel): Expression {
  let result = bare(expression);
  while (result.kind === 'cast' && result.implicit && arithmeticName(result.type) !== null) {
    const operand = bare(result.operand);
    if (arithmeticName(operand.type) === null) break;
    const isFirst = result === expression;
    if (!isFirst && !isDetour(operand.type, result.type, expression.type, model)) break;
    result = operand;
  }
  return result;
}

/** For an expression whose value is thrown away. */
export function bareDiscarded(expression: Expression): Expression {
  const result = bare(expression);
  return result.kind === 'cast' && result.implicit && result.castKind === 'to-void' ? bare(result.operand) : result;
}

/** For the value of an assignment, an initializer, an argument for a parameter, a returned value. */
export function bareAssigned(expression: Expression, model: DataModel): Expression {
  const result = bare(expression);
  if (result.kind !== 'cast' || !result.implicit) return result;
  const operand = bare(result.operand);
  switch (result.castKind) {
    case 'integer':
    case 'integer-to-float':
    case 'float-to-integer':
    case 'float':
      return bareArithmetic(result, model);
    case 'null-to-pointer':
    case 'complex':
      return operand;
    case 'to-bool':
      return operand.type.kind === 'pointer' ? operand : bareArithmetic(result, model);
    case 'pointer':
      return arePointersMixable(operand.type, result.type) ? operand : result;
    default:
      return result;
  }
}

/**
 * For an operand that C promotes on its own: of unary operators, of shifts, of `switch`, and arguments without a
 * parameter.
 */
export function barePromoted(expression: Expression, model: DataModel): Expression {
  const whole = bare(expression);
  const inner = bareArithmetic(whole, model);
  return inner === whole || promotedName(inner, model) === arithmeticName(whole.type) ? inner : whole;
}

/** For an argument without a parameter: promoted, and float becomes double. */
export function bareVariadic(expression: Expression, model: DataModel): Expression {
  const whole = bare(expression);
  const inner = bareArithmetic(whole, model);
  if (inner === whole) return whole;
  const promoted = promotedName(inner, model);
  return (promoted === 'float' ? 'double' : promoted) === arithmeticName(whole.type) ? inner : whole;
}

/** For a condition: only whether it is zero matters. */
export function bareCondition(expression: Expression, model: DataModel): Expression {
  let result = bare(expression);
  while (result.kind === 'cast' && result.implicit) {
    const operand = bare(result.operand);
    const isScalar = operand.type.kind === 'pointer' || arithmeticName(operand.type) !== null;
    const keeps = result.castKind === 'to-bool' ? isScalar : isValueKept(operand.type, result.type, model);
    if (!keeps && result.castKind !== 'pointer') break;
    result = operand;
  }
  return result;
}

/** For an index or an offset: only its value matters. */
export function bareIndex(expression: Expression, model: DataModel): Expression {
  let result = bare(expression);
  while (result.kind === 'cast' && result.implicit) {
    const operand = bare(result.operand);
    if (integerName(operand.type) === null || !isValueKept(operand.type, result.type, model)) break;
    result = operand;
  }
  return result;
}

/**
 * For two operands that C brings to a common type: of arithmetic, comparisons and `?:`. Either both, or one, or none
 * can do without its cast.
 */
export function bareCommon(left: Expression, right: Expression, model: DataModel): readonly [Expression, Expression] {
  const [l, r] = [bare(left), bare(right)];
  const wanted = arithmeticName(l.type);
  if (wanted === null) return barePointers(l, r);
  if (arithmeticName(r.type) === null) return [l, r];
  const [l0, r0] = [bareArithmetic(l, model), bareArithmetic(r, model)];
  if (commonName(l0, r0, model) === wanted) return [l0, r0];
  if (commonName(l, r0, model) === wanted) return [l, r0];
  if (commonName(l0, r, model) === wanted) return [l0, r];
  return [l, r];
}

/** For the operands of `<` and its like: unlike `==`, they do not convert to and from `void *`. */
export function bareOrdered(left: Expression, right: Expression, model: DataModel): readonly [Expression, Expression] {
  const [l, r] = bareCommon(left, right, model);
  return targetOf(l.type)?.kind === targetOf(r.type)?.kind ? [l, r] : [bare(left), bare(right)];
}

/** The value of `target op= value`, computed in the type that the tree says. */
export function bareCompound(target: Expression, value: Expression, computation: Type, model: DataModel): Expression {
  const whole = bare(value);
  const inner = bareArithmetic(whole, model);
  return commonName(target, inner, model) === arithmeticName(computation) ? inner : whole;
}

function barePointers(left: Expression, right: Expression): readonly [Expression, Expression] {
  const [l, r] = [barePointer(left), barePointer(right)];
  if (isNullConversion(left) || isNullConversion(right)) {
    return [isNullConversion(left) ? l : keepUnless(left, l, r), isNullConversion(right) ? r : keepUnless(right, r, l)];
  }
  return arePointersMixable(l.type, r.type) ? [l, r] : [left, right];
}

function keepUnless(whole: Expression, inner: Expression, other: Expression): Expression {
  return inner === whole || arePointersMixable(inner.type, other.type) ? inner : whole;
}

function isNullConversion(expression: Expression): boolean {
  return expression.kind === 'cast' && expression.implicit && expression.castKind === 'null-to-pointer';
}

function barePointer(expression: Expression): Expression {
  const isPointerCast =
    expression.kind === 'cast' &&
    expression.implicit &&
    (expression.castKind === 'pointer' || expression.castKind === 'null-to-pointer');
  return isPointerCast ? bare(expression.operand) : expression;
}

/** Whether C converts between the pointer types in silence: same target, or void. Arrays and functions have decayed. */
function arePointersMixable(a: Type, b: Type): boolean {
  const [from, to] = [targetOf(a), targetOf(b)];
  if (from === null || to === null) return false;
  return from.kind === 'void' || to.kind === 'void' || compatible(unqualified(from), unqualified(to));
}

function targetOf(type: Type): Type | null {
  switch (type.kind) {
    case 'pointer':
      return type.target;
    case 'array':
      return type.element;
    case 'function':
      return type;
    default:
      return null;
  }
}

/**
 * Builtins about floating-point values: constants, classification, quiet comparison. They are said by comparisons,
 * which are cheap to encode; only the sign is read from the bits, through a place in memory, because a negative zero
 * and zero are equal.
 */

import type { FloatPredicate } from '../program/builtins.ts';
import type { ScalarType, Value } from '../program/code.ts';
import { PLAIN } from '../program/memory-order.ts';
import type { Builtin } from '../program/primitives.ts';
import type { Expression } from '../program/tree.ts';
import { floatType } from '../program/type-operations.ts';
import { scalarTypeOf } from './arithmetic.ts';
import { type FunctionContext, temporaryObject } from './context.ts';
import { constantFloat, lowerEffects, lowerValue } from './expressions.ts';
import { binary, constant, convert, integerScalar, isZero, select, zeroOf } from './values.ts';

type Handler = (f: FunctionContext, expression: Builtin) => Value;

export const FLOAT_HANDLERS: Readonly<Record<FloatPredicate | 'infinity' | 'nan', Handler>> = {
  infinity: (f, e) => floating(f, e, Number.POSITIVE_INFINITY),
  nan: (f, e) => floating(f, e, Number.NaN),
  isnan: (f, e) => classify(f, e, isNan),
  isinf: (f, e) => classify(f, e, (x) => binary('or', isInfinity(x, 1), isInfinity(x, -1))),
  'isinf-sign': (f, e) => classify(f, e, (x) => binary('sub', isInfinity(x, 1), isInfinity(x, -1))),
  isfinite: (f, e) => classify(f, e, isFiniteValue),
  isnormal: (f, e) => classify(f, e, (x) => binary('and', isFiniteValue(x), isZero(isSmall(x)))),
  fpclassify: classifyAll,
  signbit: (f, e) => classify(f, e, (x) => signBit(f, x, e)),
  isgreater: (f, e) => compare(f, e, (x, y) => binary('lt', y, x)),
  isgreaterequal: (f, e) => compare(f, e, (x, y) => binary('le', y, x)),
  isless: (f, e) => compare(f, e, (x, y) => binary('lt', x, y)),
  islessequal: (f, e) => compare(f, e, (x, y) => binary('le', x, y)),
  islessgreater: (f, e) => compare(f, e, (x, y) => binary('or', binary('lt', x, y), binary('lt', y, x))),
  isunordered: (f, e) => compare(f, e, (x, y) => binary('or', isNan(x), isNan(y))),
};

function floating(f: FunctionContext, expression: Builtin, value: number): Value {
  for (const operand of expression.args) lowerEffects(f, operand);
  return constantFloat(value, scalarTypeOf(f, expression.type, expression.loc));
}

/** The operand, which is computed once. */
function operand(f: FunctionContext, expression: Builtin, index: number): Value {
  return f.builder.keep(lowerValue(f, expression.args[index] as Expression), expression.loc);
}

function result(f: FunctionContext, expression: Builtin, value: Value): Value {
  return convert(value, scalarTypeOf(f, expression.type, expression.loc));
}

function classify(f: FunctionContext, expression: Builtin, question: (value: Value) => Value): Value {
  return result(f, expression, question(operand(f, expression, 0)));
}

function compare(f: FunctionContext, expression: Builtin, question: (left: Value, right: Value) => Value): Value {
  const left = operand(f, expression, 0);
  const right = operand(f, expression, 1);
  const isSingle = [left, right].every(({ type }) => type.kind === 'float' && type.bits === 32);
  const common: ScalarType = { kind: 'float', bits: isSingle ? 32 : 64 };
  return result(f, expression, question(convert(left, common), convert(right, common)));
}

/** `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, value)`: the number that fits. */
function classifyAll(f: FunctionContext, expression: Builtin): Value {
  const [nan, infinite, normal, subnormal, zero] = [0, 1, 2, 3, 4].map((i) => operand(f, expression, i)) as [
    Value,
    Value,
    Value,
    Value,
    Value,
  ];
  const value = operand(f, expression, 5);
  const equalsZero = binary('eq', value, constantFloat(0, value.type));
  const small = select(equalsZero, zero, select(isSmall(value), subnormal, normal));
  return result(f, expression, select(isNan(value), nan, select(isFiniteValue(value), small, infinite)));
}

function isNan(value: Value): Value {
  return binary('ne', value, value);
}

function isInfinity(value: Value, sign: 1 | -1): Value {
  return binary('eq', value, constantFloat(sign * Number.POSITIVE_INFINITY, value.type));
}

function isFiniteValue(value: Value): Value {
  return isWithin(value, value.type.bits === 32 ? 2 ** 128 - 2 ** 104 : Number.MAX_VALUE);
}

/** Nearer to zero than the least number that has all of its digits. */
function isSmall(value: Value): Value {
  const least = value.type.bits === 32 ? 2 ** -126 : 2 ** -1022;
  const limit = constantFloat(least, value.type);
  return binary('and', binary('lt', value, limit), binary('lt', constantFloat(-least, value.type), value));
}

function isWithin(value: Value, limit: number): Value {
  const [low, high] = [constantFloat(-limit, value.type), constantFloat(limit, value.type)];
  return binary('and', binary('le', low, value), binary('le', value, high));
}

function signBit(f: FunctionContext, value: Value, { loc }: Builtin): Value {
  const bits = value.type.bits === 32 ? 32 : 64;
  const integer: ScalarType = integerScalar(bits, false);
  const address = temporaryObject(f, 'bits', floatType(bits === 32 ? 'float' : 'double'), loc);
  f.builder.emit({ kind: 'store', address, value, type: value.type, mode: PLAIN, loc });
  const register = f.builder.newRegister(integer);
  f.builder.emit({ kind: 'load', register, address, type: integer, mode: PLAIN, loc });
  const sign = binary('shr', f.builder.read(register), constant(bits - 1, integer));
  return binary('ne', sign, zeroOf(integer));
}

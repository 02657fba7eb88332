/** Arithmetic on scalars with the checks it needs, and conversions between C types. */

import type { BinaryOperation, ScalarType, Value } from '../program/code.ts';
import type { ArithmeticOperator, ComparisonOperator } from '../program/tree.ts';
import { isBool } from '../program/type-operations.ts';
import type { Type } from '../program/types.ts';
import type { Loc } from '../support/source.ts';
import { checkDivision, checkOverflow, checkShift } from './checks.ts';
import type { FunctionContext } from './context.ts';
import { scalarOf } from './shapes.ts';
import { binary, constant, convert, INT, isNotZero, unary } from './values.ts';

const OPERATIONS: Readonly<Record<ArithmeticOperator, BinaryOperation>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '<<': 'shl',
  '>>': 'shr',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
};

/** `left operator right` on operands of one type (a shift's amount has its own). */
export function arithmetic(
  f: FunctionContext,
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  loc: Loc,
): Value {
  const operation = OPERATIONS[operator];
  if (left.type.kind === 'integer') {
    if (operation === 'div' || operation === 'rem') checkDivision(f, left, right, loc);
    else if (operation === 'shl' || operation === 'shr') checkShift(f, left, right, loc);
    if (operation === 'add' || operation === 'sub' || operation === 'mul' || operation === 'shl') {
      checkOverflow(f, operation, left, right, loc);
    }
  }
  return f.builder.shallow(binary(operation, left, right), loc);
}

export function compare(operator: ComparisonOperator, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return binary('eq', left, right);
    case '!=':
      return binary('ne', left, right);
    case '<':
      return binary('lt', left, right);
    case '<=':
      return binary('le', left, right);
    case '>':
      return binary('lt', right, left);
    case '>=':
      return binary('le', right, left);
  }
}

export function negate(f: FunctionContext, operand: Value, loc: Loc): Value {
  checkOverflow(f, 'neg', operand, constant(0n, operand.type), loc);
  return unary('neg', operand);
}

/** Conversion to a C type: to `_Bool` asks whether the value is zero, all else is a conversion of scalars. */
export function convertTo(f: FunctionContext, value: Value, type: Type, loc: Loc): Value {
  const target = scalarTypeOf(f, type, loc);
  return isBool(type) ? convert(isNotZero(value), target) : f.builder.shallow(convert(value, target), loc);
}

/** The scalar of a type that lowering can compute with; others are refused at the place. */
export function scalarTypeOf(f: FunctionContext, type: Type, loc: Loc): ScalarType {
  const scalar = scalarOf(type, f.model);
  if (scalar === null) {
    if (type.kind === 'complex') f.program.unsupported(loc, 'complex numbers are');
    else if (type.kind !== 'void') f.program.unsupported(loc, `a value of kind ${type.kind} is`);
    return INT;
  }
  if (scalar.kind === 'float' && scalar.bits !== 32 && scalar.bits !== 64) {
    f.program.unsupported(loc, `floating point of ${scalar.bits} bits is`);
    return { kind: 'float', bits: 64 };
  }
  return scalar;
}

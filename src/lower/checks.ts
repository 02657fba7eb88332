/**
 * Checks that become assertions in the code: array bounds, division by zero, shift amounts, signed overflow. What
 * executors check by themselves at each access (invalid and freed pointers, frees) is not here.
 *
 * Where a check is not asked for, undefined behaviour must still not be silent: a division by zero ends the execution,
 * as the processor's trap would (an assumption); too large shift amounts and signed overflow compute what Code defines
 * for them.
 */

import type { CheckName, Value } from '../program/code.ts';
import type { Expression } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { FunctionContext } from './context.ts';
import { binary, constant, convert, INT, type IntegerScalar, integerScalar } from './values.ts';

export function emitAssert(f: FunctionContext, condition: Value, check: CheckName, message: string, loc: Loc): void {
  if (condition.kind === 'constant' && condition.value !== 0n) return;
  f.builder.emit({ kind: 'assert', condition, check, message, loc });
}

/**
 * `base[index]` where the base is an array of known length. One past the end is fine when only the address is taken.
 */
export function checkIndex(f: FunctionContext, base: Expression, index: Value, loc: Loc, onlyAddress: boolean): void {
  if (f.isModel || !f.program.has('bounds') || base.kind !== 'cast' || base.castKind !== 'array-to-pointer') return;
  const array = base.operand.type;
  if (array.kind !== 'array' || typeof array.length !== 'number' || index.type.kind !== 'integer') return;
  // Trailing arrays of length 0 or 1 are the old form of flexible members.
  if (array.length <= 1 && base.operand.kind === 'member') return;
  const limit = BigInt(array.length) + (onlyAddress ? 1n : 0n);
  const message = `index out of bounds of an array of ${array.length} elements`;
  emitAssert(f, isBelow(index, limit), 'bounds', message, loc);
}

/** 0 <= value < limit, by one unsigned comparison. */
function isBelow(value: Value, limit: bigint): Value {
  const type = value.type as IntegerScalar;
  const unsigned = integerScalar(type.bits, false);
  if (limit >= 1n << BigInt(type.signed ? type.bits - 1 : type.bits)) {
    return type.signed ? binary('le', constant(0n, type), value) : constant(1n, INT);
  }
  return binary('lt', convert(value, unsigned), constant(limit, unsigned));
}

export function checkDivision(f: FunctionContext, left: Value, right: Value, loc: Loc): void {
  const type = left.type as IntegerScalar;
  const isZeroFree = binary('ne', right, constant(0n, type));
  if (f.program.has('division')) emitAssert(f, isZeroFree, 'division', 'division by zero', loc);
  else if (isZeroFree.kind !== 'constant' || isZeroFree.value === 0n) {
    f.builder.emit({ kind: 'assume', condition: isZeroFree, loc });
  }
  if (f.isModel || !type.signed || !f.program.has('overflow')) return;
  const least = constant(-(1n << BigInt(type.bits - 1)), type);
  const fits = binary('or', binary('ne', left, least), binary('ne', right, constant(-1n, type)));
  emitAssert(f, fits, 'overflow', 'signed overflow in a division', loc);
}

export function checkShift(f: FunctionContext, left: Value, amount: Value, loc: Loc): void {
  if (f.isModel || !f.program.has('shift')) return;
  emitAssert(f, isBelow(amount, BigInt(left.type.bits)), 'shift', 'shift amount out of range', loc);
}

type Overflowing = Extract<Value, { kind: 'overflows' }>['operation'];

export function checkOverflow(f: FunctionContext, operation: Overflowing, left: Value, right: Value, loc: Loc): void {
  if (f.isModel || !f.program.has('overflow') || left.type.kind !== 'integer' || !left.type.signed) return;
  const amount = operation === 'shl' ? convert(right, left.type) : right;
  if (left.kind === 'constant' && amount.kind === 'constant') {
    const exact = evaluateExactly(operation, left.value, amount.value);
    if (exact !== null && BigInt.asIntN(left.type.bits, exact) === exact) return;
  }
  const overflows: Value = { kind: 'overflows', type: INT, operation, left, right: amount };
  emitAssert(f, binary('eq', overflows, constant(0n, INT)), 'overflow', `signed overflow in ${NAMES[operation]}`, loc);
}

const NAMES: Readonly<Record<Overflowing, string>> = {
  add: 'an addition',
  sub: 'a subtraction',
  mul: 'a multiplication',
  neg: 'a negation',
  shl: 'a left shift',
};

function evaluateExactly(operation: Overflowing, left: bigint, right: bigint): bigint | null {
  switch (operation) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'neg':
      return -left;
    case 'shl':
      return left < 0n || right < 0n || right > 127n ? null : left << right;
  }
}

/**
 * Builders of pure values (`Value` of program/code.ts) that fold constants while they build. Folding serves three ends:
 * static initializers must come out as constants, constant conditions must not become branches, and addresses of
 * elements should read `object + offset`.
 *
 * Integers are folded exactly as C computes them (two's complement, wrapped to the type). Floats are folded only
 * between float and double, where JavaScript computes the same as IEEE 754. Division by a constant zero is left alone.
 */

import type { BinaryOperation, ScalarType, Value } from '../program/code.ts';
import { compareNumbers, floatResult, integerResult } from '../program/fold-numbers.ts';
import { SPELLINGS } from '../program/print-code.ts';

export type IntegerScalar = Extract<ScalarType, { kind: 'integer' }>;

export const INT: IntegerScalar = { kind: 'integer', bits: 32, signed: true, pointer: false };
export const BYTE: IntegerScalar = { kind: 'integer', bits: 8, signed: false, pointer: false };

export function integerScalar(bits: IntegerScalar['bits'], signed: boolean): IntegerScalar {
  return { kind: 'integer', bits, signed, pointer: false };
}

/** Wraps a mathematical integer into a type. */
export function wrap(value: bigint, type: IntegerScalar): bigint {
  return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
}

export function constant(value: bigint | number, type: ScalarType): Value {
  if (type.kind === 'float') {
    return { kind: 'float-constant', type, value: type.bits === 32 ? Math.fround(Number(value)) : Number(value) };
  }
  return { kind: 'constant', type, value: wrap(BigInt(value), type) };
}

export function isConstant(value: Value): value is Extract<Value, { kind: 'constant' }> {
  return value.kind === 'constant';
}

export function sameScalar(a: ScalarType, b: ScalarType): boolean {
  if (a.kind !== b.kind || a.bits !== b.bits) return false;
  return a.kind === 'float' || (b.kind === 'integer' && a.signed === b.signed);
}

// ---------------------------------------------------------------- operations

export function unary(operation: 'neg' | 'not', operand: Value): Value {
  const type = operand.type;
  if (operand.kind === 'constant' && type.kind === 'integer') {
    return constant(operation === 'neg' ? -operand.value : ~operand.value, type);
  }
  if (operand.kind === 'float-constant' && operation === 'neg') return { ...operand, value: -operand.value };
  return { kind: 'unary', type, operation, operand };
}

const COMPARISONS: ReadonlySet<BinaryOperation> = new Set(['eq', 'ne', 'lt', 'le']);

/** Both operands have the same type (but for shifts); the result has that of the left, or int for comparisons. */
export function binary(operation: BinaryOperation, left: Value, right: Value): Value {
  const type = COMPARISONS.has(operation) ? INT : left.type;
  if (left.kind === 'constant' && right.kind === 'constant') {
    const folded = foldIntegers(operation, left.value, right.value, left.type);
    if (folded !== null) return constant(folded, type);
  }
  if (left.kind === 'float-constant' && right.kind === 'float-constant') {
    const folded = foldFloats(operation, left.value, right.value, left.type);
    if (folded !== null) return type.kind === 'float' ? { ...left, value: folded } : constant(folded, type);
  }
  return simplify(operation, left, right) ?? { kind: 'binary', type, operation, left, right };
}

/** A shift out of range leaves nothing but the sign. */
function foldIntegers(operation: BinaryOperation, a: bigint, b: bigint, type: ScalarType): bigint | null {
  if (operation === 'shl' && b >= BigInt(type.bits)) return 0n;
  const operator = SPELLINGS[operation];
  const holds = compareNumbers(operator, a, b);
  return holds === null ? integerResult(operator, a, b) : BigInt(holds);
}

function foldFloats(operation: BinaryOperation, a: number, b: number, type: ScalarType): number | null {
  if (type.bits !== 32 && type.bits !== 64) return null;
  const operator = SPELLINGS[operation];
  const holds = compareNumbers(operator, a, b);
  if (holds !== null) return Number(holds);
  const result = floatResult(operator, a, b);
  return result !== null && type.bits === 32 ? Math.fround(result) : result;
}

/** The few identities that addresses and indexes are full of. */
function simplify(operation: BinaryOperation, left: Value, right: Value): Value | null {
  if (left.type.kind !== 'integer') return null;
  if (left.kind === 'object-address') {
    if (right.kind === 'constant' && (operation === 'add' || operation === 'sub')) {
      const by = Number(BigInt.asIntN(left.type.bits, right.value));
      return { ...left, offset: left.offset + (operation === 'add' ? by : -by) };
    }
    // The same object's address: the difference does not depend on where it lies.
    if (operation === 'sub' && right.kind === 'object-address' && right.object === left.object) {
      return constant(left.offset - right.offset, left.type);
    }
  }
  if (right.kind !== 'constant') {
    return left.kind === 'constant' && operation === 'add' ? binary('add', right, left) : null;
  }
  if (right.value === 0n && ['add', 'sub', 'or', 'xor', 'shl', 'shr'].includes(operation)) return left;
  if (right.value === 0n && operation === 'ne' && isTruth(left)) return left;
  if (right.value === 1n && (operation === 'mul' || operation === 'div')) return left;
  if (right.value === 0n && (operation === 'mul' || operation === 'and')) return right;
  // (x + a) + b
  if (operation === 'add' && left.kind === 'binary' && left.operation === 'add' && left.right.kind === 'constant') {
    return binary('add', left.left, constant(left.right.value + right.value, left.right.type));
  }
  return null;
}

/** Whether a value can only be 0 or 1. */
function isTruth(value: Value): boolean {
  if (value.kind !== 'binary') return value.kind === 'overflows';
  if (value.operation === 'and' || value.operation === 'or') return isTruth(value.left) && isTruth(value.right);
  return COMPARISONS.has(value.operation);
}

export function convert(operand: Value, type: ScalarType): Value {
  if (sameScalar(operand.type, type)) return retype(operand, type);
  if (operand.kind === 'constant') return constant(operand.value, type);
  if (operand.kind === 'float-constant') {
    const folded = foldFloatConversion(operand.value, type);
    if (folded !== null) return folded;
  }
  if (isWiderStep(operand, type)) return convert(operand.operand, type);
  const isAddress = operand.kind === 'object-address' || operand.kind === 'function-address';
  // Addresses lie in the lower half of the address space: signedness does not matter.
  if (isAddress && type.kind === 'integer' && type.bits === operand.type.bits) return { ...operand, type };
  return { kind: 'convert', type, operand };
}

/** A conversion between integers on the way to one that is not wider: only the low bits count, and they stay. */
function isWiderStep(value: Value, type: ScalarType): value is Extract<Value, { kind: 'convert' }> {
  if (value.kind !== 'convert' || value.type.kind !== 'integer' || type.kind !== 'integer') return false;
  return value.operand.type.kind === 'integer' && value.type.bits >= type.bits;
}

/** The same value under a type that differs in `pointer` only. */
function retype(value: Value, type: ScalarType): Value {
  if (value.type.kind === 'float' || type.kind === 'float' || value.type.pointer === type.pointer) return value;
  if (value.kind === 'constant' || value.kind === 'object-address' || value.kind === 'function-address') {
    return { ...value, type };
  }
  return { kind: 'convert', type, operand: value };
}

function foldFloatConversion(value: number, type: ScalarType): Value | null {
  if (type.kind === 'float')
    return { kind: 'float-constant', type, value: type.bits === 32 ? Math.fround(value) : value };
  if (!Number.isFinite(value)) return null;
  const truncated = BigInt(Math.trunc(value));
  return wrap(truncated, type) === truncated ? constant(truncated, type) : null;
}

export function select(condition: Value, then: Value, otherwise: Value): Value {
  if (condition.kind === 'constant') return condition.value !== 0n ? then : otherwise;
  return { kind: 'select', type: then.type, condition, then, otherwise };
}

// ---------------------------------------------------------------- truth

/** As an int 0 or 1: whether the value is not zero. */
export function isNotZero(value: Value): Value {
  return isTruth(value) ? value : binary('ne', value, zeroOf(value.type));
}

export function isZero(value: Value): Value {
  if (value.kind === 'binary' && value.operation === 'eq') return { ...value, operation: 'ne' };
  if (value.kind === 'binary' && value.operation === 'ne') return { ...value, operation: 'eq' };
  if (value.kind === 'binary' && value.left.type.kind === 'integer') {
    if (value.operation === 'lt') return binary('le', value.right, value.left);
    if (value.operation === 'le') return binary('lt', value.right, value.left);
  }
  return binary('eq', value, zeroOf(value.type));
}

/** A value usable as a condition: floats are compared, since -0.0 is zero too. */
export function asCondition(value: Value): Value {
  return value.type.kind === 'float' ? isNotZero(value) : value;
}

export function zeroOf(type: ScalarType): Value {
  return constant(0n, type);
}

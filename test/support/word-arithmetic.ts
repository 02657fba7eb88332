/**
 * Fixed-width arithmetic on plain numbers, written for the tests alone and straight from the definitions (SMT-LIB where
 * C leaves the result open), so that sets, terms and circuits are compared with something that shares no code with
 * them.
 */

export const BINARY_OPERATIONS = [
  'add',
  'sub',
  'mul',
  'udiv',
  'urem',
  'sdiv',
  'srem',
  'and',
  'or',
  'xor',
  'shl',
  'lshr',
  'ashr',
] as const;
export type BinaryOperation = (typeof BINARY_OPERATIONS)[number];

/** Operands and result are unsigned numbers of the width. */
export function applyBinary(operation: BinaryOperation, width: number, x: bigint, y: bigint): bigint {
  const [p, q] = [BigInt.asIntN(width, x), BigInt.asIntN(width, y)];
  const isShiftedOut = y >= BigInt(width);
  const compute: Record<BinaryOperation, () => bigint> = {
    add: () => x + y,
    sub: () => x - y,
    mul: () => x * y,
    udiv: () => (y === 0n ? -1n : x / y),
    urem: () => (y === 0n ? x : x % y),
    sdiv: () => (q === 0n ? (p < 0n ? 1n : -1n) : p / q),
    srem: () => (q === 0n ? p : p % q),
    and: () => x & y,
    or: () => x | y,
    xor: () => x ^ y,
    shl: () => (isShiftedOut ? 0n : x << y),
    lshr: () => (isShiftedOut ? 0n : x >> y),
    ashr: () => p >> (isShiftedOut ? BigInt(width) : y),
  };
  return BigInt.asUintN(width, compute[operation]());
}

export function compareValues(comparison: 'eq' | 'ult' | 'slt', width: number, x: bigint, y: bigint): boolean {
  if (comparison === 'eq') return x === y;
  return comparison === 'ult' ? x < y : BigInt.asIntN(width, x) < BigInt.asIntN(width, y);
}

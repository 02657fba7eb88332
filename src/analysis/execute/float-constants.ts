/** IEEE arithmetic on constants, as bit patterns: float and double through JavaScript's own numbers. */

import type { BinaryOperation, ScalarType } from '../../program/code.ts';
import type { Loc } from '../../support/source.ts';
import { UnsupportedError } from './unsupported.ts';

export function floatToBits(value: number, bits: number, loc: Loc): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) {
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  }
  if (bits === 32) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  throw new UnsupportedError(loc, `floating-point values of ${bits} bits are not supported`);
}

export function floatFromBits(pattern: bigint, bits: number, loc: Loc): number {
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) {
    view.setBigUint64(0, pattern);
    return view.getFloat64(0);
  }
  if (bits === 32) {
    view.setUint32(0, Number(pattern));
    return view.getFloat32(0);
  }
  throw new UnsupportedError(loc, `floating-point values of ${bits} bits are not supported`);
}

export function isTrueFloat(pattern: bigint, bits: number): boolean {
  return BigInt.asUintN(bits - 1, pattern) !== 0n;
}

/** The pattern of the result; for comparisons 0 or 1. Double arithmetic rounded to float is exact for +, -, *, /. */
export function floatBinary(operation: BinaryOperation, a: number, b: number, bits: number, loc: Loc): bigint {
  switch (operation) {
    case 'add':
      return floatToBits(a + b, bits, loc);
    case 'sub':
      return floatToBits(a - b, bits, loc);
    case 'mul':
      return floatToBits(a * b, bits, loc);
    case 'div':
      return floatToBits(a / b, bits, loc);
    case 'eq':
      return a === b ? 1n : 0n;
    case 'ne':
      return a !== b ? 1n : 0n;
    case 'lt':
      return a < b ? 1n : 0n;
    case 'le':
      return a <= b ? 1n : 0n;
    default:
      throw new UnsupportedError(loc, `operation '${operation}' on floating-point values`);
  }
}

export function floatConvert(pattern: bigint, bits: number, to: ScalarType, loc: Loc): bigint {
  const value = floatFromBits(pattern, bits, loc);
  if (to.kind === 'float') return floatToBits(value, to.bits, loc);
  if (!Number.isFinite(value))
    throw new UnsupportedError(loc, 'conversion of an infinite or undefined value to an integer');
  return BigInt.asUintN(to.bits, BigInt(Math.trunc(value)));
}

/** The nearest value; through a double first, which is exact for all integers of up to 53 bits. */
export function intToFloat(value: bigint, bits: number, loc: Loc): bigint {
  const nearest = Number(value);
  if (bits === 32 && BigInt(nearest) !== value) {
    throw new UnsupportedError(loc, 'conversion of a large integer to float');
  }
  return floatToBits(nearest, bits, loc);
}

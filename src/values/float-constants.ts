/**
 * IEEE arithmetic on constants, as bit patterns: float and double through JavaScript's own numbers. A NaN is always the
 * quiet one without a sign: which of them an operation gives differs between processors, and nothing here depends on
 * it.
 */

import { InvariantError } from '../support/invariant.ts';

export function floatToBits(value: number, bits: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (Number.isNaN(value)) return quietNan(bits);
  if (bits === 64) {
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  }
  if (bits === 32) {
    view.setFloat32(0, value);
    return BigInt(view.getUint32(0));
  }
  throw new InvariantError(`floating-point values of ${bits} bits`);
}

export function floatFromBits(pattern: bigint, bits: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 64) {
    view.setBigUint64(0, pattern);
    return view.getFloat64(0);
  }
  if (bits === 32) {
    view.setUint32(0, Number(pattern));
    return view.getFloat32(0);
  }
  throw new InvariantError(`floating-point values of ${bits} bits`);
}

export function quietNan(bits: number): bigint {
  return bits === 32 ? 0x7fc0_0000n : 0x7ff8_0000_0000_0000n;
}

export type FloatArithmetic = 'fadd' | 'fmul' | 'fdiv';
export type FloatComparison = 'feq' | 'flt' | 'fle';

/** Double arithmetic rounded to float is exact for +, * and /. */
export function computeFloat(operation: FloatArithmetic, left: bigint, right: bigint, bits: number): bigint {
  const [a, b] = [floatFromBits(left, bits), floatFromBits(right, bits)];
  const results = { fadd: a + b, fmul: a * b, fdiv: a / b };
  return floatToBits(results[operation], bits);
}

export function compareFloats(comparison: FloatComparison, left: bigint, right: bigint, bits: number): boolean {
  const [a, b] = [floatFromBits(left, bits), floatFromBits(right, bits)];
  const results = { feq: a === b, flt: a < b, fle: a <= b };
  return results[comparison];
}

/** A signed integer of the width; what does not fit becomes the least one (see float-terms.ts). */
export function floatToSigned(pattern: bigint, bits: number, width: number): bigint {
  const value = floatFromBits(pattern, bits);
  const least = -(1n << BigInt(width - 1));
  if (!Number.isFinite(value)) return least;
  const truncated = BigInt(Math.trunc(value));
  return BigInt.asIntN(width, truncated) === truncated ? truncated : least;
}

/** The nearest float or double of an integer, rounded once. */
export function integerToFloat(value: bigint, bits: number): bigint {
  if (bits === 64) return floatToBits(Number(value), bits);
  const magnitude = value < 0n ? -value : value;
  const excess = magnitude.toString(2).length - 53;
  if (excess <= 0) return floatToBits(Number(value), bits);
  // 53 bits, the last of which remembers whether anything was cut off, fit a double: rounding to float is then the only
  // one.
  const cut = magnitude & ((1n << BigInt(excess)) - 1n);
  const kept = (magnitude >> BigInt(excess)) | (cut === 0n ? 0n : 1n);
  const rounded = Math.fround(Number(kept)) * 2 ** excess;
  return floatToBits(value < 0n ? -rounded : rounded, bits);
}

/**
 * The least and greatest number of a set of floats, which is a set of bit patterns: positive numbers are ordered as
 * their patterns are, negative ones the other way round, with -0 below 0. Patterns that are no number have no place in
 * this order.
 */

import { cutSet, isEmpty, maxUnsigned, minUnsigned, type ValueSet } from './value-set.ts';
import { maxOf } from './value-set-parts.ts';

export interface FloatBounds {
  /** Bit patterns. */
  readonly least: bigint;
  readonly most: bigint;
}

/** Null if no pattern of the set is a number. */
export function floatBounds(set: ValueSet): FloatBounds | null {
  const { positive, negative } = numbersOf(set);
  if (isEmpty(positive) && isEmpty(negative)) return null;
  return {
    least: isEmpty(negative) ? minUnsigned(positive) : maxUnsigned(negative),
    most: isEmpty(positive) ? minUnsigned(negative) : maxUnsigned(positive),
  };
}

/** Whether some pattern of the set is no number. */
export function hasNan(set: ValueSet): boolean {
  const { sign, infinity } = signAndInfinity(set.width);
  return (
    !isEmpty(cutSet(set, infinity + 1n, sign - 1n)) || !isEmpty(cutSet(set, sign + infinity + 1n, maxOf(set.width)))
  );
}

/** Grows with the number that a pattern stands for. */
export function floatOrder(pattern: bigint, width: number): bigint {
  const { sign } = signAndInfinity(width);
  return pattern < sign ? pattern : sign - 1n - pattern;
}

function numbersOf(set: ValueSet) {
  const { sign, infinity } = signAndInfinity(set.width);
  return { positive: cutSet(set, 0n, infinity), negative: cutSet(set, sign, sign + infinity) };
}

function signAndInfinity(width: number): { readonly sign: bigint; readonly infinity: bigint } {
  return { sign: 1n << BigInt(width - 1), infinity: width === 32 ? 0x7f80_0000n : 0x7ff0_0000_0000_0000n };
}

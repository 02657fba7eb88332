/**
 * The shape of a value set in bits: which bits are the same in all values, and from where on they only repeat the sign.
 * It is what a value costs in the formula: only the bits that vary get literals.
 */

import { isEmpty, maxSigned, minSigned, minUnsigned, type ValueSet } from './value-set.ts';
import { maxOf, type SetPart } from './value-set-parts.ts';

export interface BitShape {
  /** Bits that are the same in all values, and what they are. */
  readonly known: bigint;
  readonly value: bigint;
  /** Bits from here up equal bit `extent - 1` (a sign that is repeated); `width` when there is no such repetition. */
  readonly extent: number;
}

/** Which bits of the values are fixed, and from where on they only repeat the sign. */
export function bitShape(set: ValueSet): BitShape {
  const { width } = set;
  const max = maxOf(width);
  if (isEmpty(set)) return { known: max, value: 0n, extent: width };
  let varying = 0n;
  const first = minUnsigned(set);
  for (const p of set.parts) {
    if (p.low !== first) varying |= p.low ^ first;
    if (p.low !== p.high) varying |= varyingBits(p);
  }
  const known = max & ~varying;
  const [low, high] = [minSigned(set), maxSigned(set)];
  const extent = low < 0n && high >= 0n ? 1 + Math.max(bitLength(high), bitLength(-low - 1n)) : width;
  return { known, value: first & known, extent };
}

/** Between the highest bit in which the bounds differ and the lowest bit that the step moves. */
function varyingBits(p: SetPart): bigint {
  const covered = onesCovering(p.low ^ p.high);
  return p.step === 1n ? covered : covered & -(p.step & -p.step);
}

/** How many bits the values need: those that vary. */
export function bitsNeeded(set: ValueSet): number {
  const shape = bitShape(set);
  let bits = 0;
  for (let rest = ~shape.known & maxOf(shape.extent); rest !== 0n; rest &= rest - 1n) bits++;
  return bits;
}

/** The smallest number of the form 11…1 in binary that is no smaller. */
export function onesCovering(value: bigint): bigint {
  return maxOf(bitLength(value));
}

/** The number of binary digits of a number that is not negative; 0 for zero. */
export function bitLength(value: bigint): number {
  if (value <= 0xffff_ffffn) return 32 - Math.clz32(Number(value));
  if (value <= 0xffff_ffff_ffff_ffffn) return 64 - Math.clz32(Number(value >> 32n));
  return 4 * (value.toString(16).length - 1) + 32 - Math.clz32(Number.parseInt(value.toString(16)[0] as string, 16));
}

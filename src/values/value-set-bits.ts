/**
 * Operations on the bits of value sets: logic, shifts, and changes of width. Where bits cannot meet, `or` and `xor` are
 * additions; a mask of adjoining bits is a remainder and a rounding; shifts by constants are multiplications and
 * divisions: all these keep the steps of the values. What remains is computed from the bits that are known on both
 * sides.
 */

import { bitShape, onesCovering } from './bit-shape.ts';
import {
  constantSet,
  cutSet,
  emptySet,
  enumerateValues,
  isEmpty,
  maxSigned,
  maxUnsigned,
  minSigned,
  minUnsigned,
  rangeSet,
  setOfParts,
  setOfValues,
  signedParts,
  signedRangeSet,
  singleValue,
  type ValueSet,
} from './value-set.ts';
import { addSets, divideParts, enumerateBoth, multiplySets, remainderParts } from './value-set-arithmetic.ts';
import { maxOf, mod, part, pushWrapped, type SetPart } from './value-set-parts.ts';

/** So many free bits are tried in all combinations. */
const MAX_FREE_BITS = 4;
/** So many different amounts of a shift are looked at one by one, and more if the shifted set is simple. */
const MAX_AMOUNTS = 8;
const MAX_AMOUNTS_OF_ONE = 24;

// ---------------------------------------------------------------- logic

export function notSet(a: ValueSet): ValueSet {
  const max = maxOf(a.width);
  const parts = a.parts.map((p) => ({ low: max - p.high, high: max - p.low, step: p.step }));
  return { width: a.width, parts: parts.reverse() };
}

export function andSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const mask = singleValue(a) ?? singleValue(b);
  if (mask !== null) {
    const masked = maskParts(singleValue(a) !== null ? b : a, mask);
    if (masked) return masked;
  }
  const few = enumerateBoth(width, a, b, (x, y) => x & y) ?? bySign(a, b, andSets);
  if (few) return few;
  const [p, q] = [knownBits(a), knownBits(b)];
  const most = smallest(maxUnsigned(a), maxUnsigned(b));
  return setOfBits(width, { ones: p.ones & q.ones, may: p.may & q.may }, 0n, most);
}

/**
 * `a & mask` for a mask of adjoining bits: the rest by the bit above them, rounded down to the lowest of them. Else
 * null.
 */
function maskParts(a: ValueSet, mask: bigint): ValueSet | null {
  if (mask === 0n) return constantSet(a.width, 0n);
  const lowest = mask & -mask;
  const above = mask + lowest;
  if ((mask & above) !== 0n) return null;
  const parts: SetPart[] = [];
  for (const p of a.parts) {
    const rest = remainderParts(p, { low: above, high: above, step: 1n });
    const [low, high] = [rest.low - mod(rest.low, lowest), rest.high - mod(rest.high, lowest)];
    parts.push(part(low, high, rest.step % lowest === 0n ? rest.step : lowest));
  }
  return setOfParts(a.width, parts);
}

export function orSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const [p, q] = [knownBits(a), knownBits(b)];
  if ((p.may & q.may) === 0n) return addSets(a, b);
  const few = enumerateBoth(width, a, b, (x, y) => x | y) ?? bySign(a, b, orSets);
  if (few) return few;
  const least = minUnsigned(a) > minUnsigned(b) ? minUnsigned(a) : minUnsigned(b);
  const most = smallest(onesCovering(maxUnsigned(a) | maxUnsigned(b)), maxUnsigned(a) + maxUnsigned(b));
  return setOfBits(width, { ones: p.ones | q.ones, may: p.may | q.may }, least, most);
}

export function xorSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const [p, q] = [knownBits(a), knownBits(b)];
  if ((p.may & q.may) === 0n) return addSets(a, b);
  const few = enumerateBoth(width, a, b, (x, y) => x ^ y) ?? bySign(a, b, xorSets);
  if (few) return few;
  const unknown = (p.may & ~p.ones) | (q.may & ~q.ones);
  const ones = (p.ones ^ q.ones) & ~unknown;
  return setOfBits(width, { ones, may: ones | unknown }, 0n, maxOf(width));
}

/**
 * Of values with both signs only few bits are known: those with and those without the highest bit are looked at apart.
 * Null if no side has both.
 */
function bySign(a: ValueSet, b: ValueSet, operation: (a: ValueSet, b: ValueSet) => ValueSet): ValueSet | null {
  const [left, right] = [halvesOf(a), halvesOf(b)];
  if (left.length + right.length === 2) return null;
  const results = left.flatMap((x) => right.map((y) => operation(x, y)));
  return setOfParts(
    a.width,
    results.flatMap(({ parts }) => parts),
  );
}

function halvesOf(set: ValueSet): readonly ValueSet[] {
  const half = maxOf(set.width - 1);
  if (maxUnsigned(set) <= half || minUnsigned(set) > half) return [set];
  return [cutSet(set, 0n, half), cutSet(set, half + 1n, maxOf(set.width))];
}

/** Which bits are set in all values, and which in some. */
interface KnownBits {
  readonly ones: bigint;
  readonly may: bigint;
}

function knownBits(set: ValueSet): KnownBits {
  const { known, value } = bitShape(set);
  return { ones: value, may: value | (maxOf(set.width) & ~known) };
}

/** The values between two bounds that agree with the known bits: one by one, or what the lowest free bit allows. */
function setOfBits(width: number, { ones, may }: KnownBits, least: bigint, most: bigint): ValueSet {
  const free = may & ~ones;
  if (free === 0n) return constantSet(width, ones);
  const bits: bigint[] = [];
  for (let rest = free; rest !== 0n && bits.length <= MAX_FREE_BITS; rest &= rest - 1n) bits.push(rest & -rest);
  if (bits.length <= MAX_FREE_BITS) {
    let values = [ones];
    for (const bit of bits) values = values.concat(values.map((v) => v | bit));
    return setOfValues(
      width,
      values.filter((v) => v >= least && v <= most),
    );
  }
  const step = free & -free;
  const from = least > ones ? least : ones;
  return rangeSet(width, from + mod(ones - from, step), most < may ? most : may, step);
}

const smallest = (a: bigint, b: bigint) => (a < b ? a : b);

// ---------------------------------------------------------------- shifts

/** The amount has the same width; amounts of `width` and more shift everything out. */
export function shiftLeftSets(a: ValueSet, amount: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(amount)) return emptySet(width);
  const amounts = fewAmounts(a, amount);
  if (amounts) {
    return setOfParts(
      width,
      amounts.flatMap((by) => [...multiplySets(a, constantSet(width, 1n << by)).parts]),
    );
  }
  const [least, most] = [clampAmount(minUnsigned(amount), width), clampAmount(maxUnsigned(amount), width)];
  const high = maxUnsigned(a) << most;
  const step = least < BigInt(width) ? 1n << least : 1n << BigInt(width - 1);
  return rangeSet(width, 0n, high <= maxOf(width) ? high : maxOf(width), step);
}

export function shiftRightLogicalSets(a: ValueSet, amount: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(amount)) return emptySet(width);
  const amounts = fewAmounts(a, amount);
  if (amounts) {
    return setOfParts(
      width,
      amounts.flatMap((by) => a.parts.map((p) => divideParts(p, { low: 1n << by, high: 1n << by, step: 1n }))),
    );
  }
  const [least, most] = [clampAmount(minUnsigned(amount), width), clampAmount(maxUnsigned(amount), width)];
  return rangeSet(width, minUnsigned(a) >> most, maxUnsigned(a) >> least);
}

export function shiftRightArithmeticSets(a: ValueSet, amount: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(amount)) return emptySet(width);
  if (minSigned(a) >= 0n) return shiftRightLogicalSets(a, amount);
  const amounts = fewAmounts(a, amount);
  if (amounts) {
    const parts: SetPart[] = [];
    for (const by of amounts) {
      for (const p of signedParts(a)) {
        const isExact = p.step % (1n << by) === 0n;
        pushWrapped(parts, width, p.low >> by, p.high >> by, isExact ? p.step >> by : 1n);
      }
    }
    return setOfParts(width, parts);
  }
  const [least, most] = [clampAmount(minUnsigned(amount), width), clampAmount(maxUnsigned(amount), width)];
  const [low, high] = [minSigned(a), maxSigned(a)];
  return signedRangeSet(width, low >> (low < 0n ? least : most), high >> (high < 0n ? most : least));
}

/** An amount past the width does what the width does. */
const clampAmount = (by: bigint, width: number) => (by > BigInt(width) ? BigInt(width) : by);

/** The different amounts of a shift when they are few, or null; all past the width count as one. */
function fewAmounts(shifted: ValueSet, amount: ValueSet): bigint[] | null {
  const { width } = amount;
  const past = maxUnsigned(amount) >= BigInt(width) ? [BigInt(width)] : [];
  const inside = cutSet(amount, 0n, BigInt(width - 1));
  const amounts = enumerateValues(inside, shifted.parts.length === 1 ? MAX_AMOUNTS_OF_ONE : MAX_AMOUNTS);
  return amounts && [...amounts, ...past];
}

// ---------------------------------------------------------------- widths

export function zeroExtendSet(a: ValueSet, width: number): ValueSet {
  return { width, parts: a.parts };
}

export function signExtendSet(a: ValueSet, width: number): ValueSet {
  if (maxUnsigned(a) <= maxOf(a.width - 1)) return { width, parts: a.parts };
  const parts: SetPart[] = [];
  for (const p of signedParts(a)) pushWrapped(parts, width, p.low, p.high, p.step);
  return setOfParts(width, parts);
}

/** The bits low .. low+width-1. */
export function extractSet(a: ValueSet, low: number, width: number): ValueSet {
  const divisor = 1n << BigInt(low);
  const parts: SetPart[] = [];
  for (const p of a.parts) {
    const shifted = low === 0 ? p : divideParts(p, { low: divisor, high: divisor, step: 1n });
    pushWrapped(parts, width, shifted.low, shifted.high, shifted.step);
  }
  return setOfParts(width, parts);
}

export function concatSets(high: ValueSet, low: ValueSet): ValueSet {
  const width = high.width + low.width;
  const factor = 1n << BigInt(low.width);
  const parts = high.parts.map((p) => part(p.low * factor, p.high * factor, p.step * factor));
  return addSets({ width, parts }, zeroExtendSet(low, width));
}

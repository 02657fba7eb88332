/**
 * Value sets: the abstract values of the value analysis. A set describes which bit patterns of a given width a value can
 * have: a short sorted list of disjoint parts, each an arithmetic progression `low, low+step, …, high` of unsigned
 * numbers. One form serves for everything the engine needs to know:
 * - constants and small sets of constants are parts of one element;
 * - ranges are parts with step 1, and the signed view is the unsigned one cut at the sign bit;
 * - pointers are addresses in a flat memory, so "object A at offsets 0, 12, 24, or NULL" is two parts.
 *
 * Sets over-approximate: every operation returns a set that contains all results. When a list grows past MAX_PARTS the two
 * neighbours with the smallest gap are merged. The empty set means "no value": the code is not reached.
 */

import { invariant } from '../support/invariant.ts';

export interface Part {
  readonly low: bigint;
  readonly high: bigint;
  /** At least 1; low + k * step reaches high exactly. 1 for a single value. */
  readonly step: bigint;
}

export interface ValueSet {
  readonly width: number;
  readonly parts: readonly Part[];
}

export const MAX_PARTS = 24;
/** Pairwise operations enumerate at most this many combinations of parts or elements. */
const MAX_PAIRS = 256;

// ---------------------------------------------------------------- construction

/** All values of a width. */
export function topSet(width: number): ValueSet {
  return { width, parts: [{ low: 0n, high: maxOf(width), step: 1n }] };
}

export function emptySet(width: number): ValueSet {
  return { width, parts: [] };
}

export function constantSet(width: number, value: bigint): ValueSet {
  const v = BigInt.asUintN(width, value);
  return { width, parts: [{ low: v, high: v, step: 1n }] };
}

/** The values low..high (unsigned) in steps. */
export function rangeSet(width: number, low: bigint, high: bigint, step = 1n): ValueSet {
  return normalise(width, [part(low, high, step)]);
}

/** The values low..high read as signed numbers. */
export function signedRangeSet(width: number, low: bigint, high: bigint): ValueSet {
  if (high - low >= maxOf(width)) return topSet(width);
  return normalise(width, wrapPart(width, low, high, 1n));
}

export function maxOf(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

function part(low: bigint, high: bigint, step: bigint): Part {
  if (low === high) return { low, high, step: 1n };
  return { low, high: high - ((high - low) % step), step };
}

/** Cuts a progression of unbounded integers to the width: one, two, or (if it covers too much) the whole range. */
function wrapPart(width: number, low: bigint, high: bigint, step: bigint): Part[] {
  const size = 1n << BigInt(width);
  if (high - low >= size) {
    const keep = gcd(step, size);
    const first = mod(low, keep);
    return [part(first, maxOf(width), keep)];
  }
  const base = low - mod(low, size);
  const [l, h] = [low - base, high - base];
  if (h < size) return [part(l, h, step)];
  const firstWrapped = l + ((size - l + step - 1n) / step) * step;
  const below = part(l, size - 1n, step);
  return firstWrapped > h ? [below] : [part(firstWrapped - size, h - size, step), below];
}

/** Sorts parts, joins what overlaps, and merges neighbours until at most MAX_PARTS are left. */
function normalise(width: number, parts: readonly Part[]): ValueSet {
  if (parts.length <= 1) return { width, parts };
  const sorted = [...parts].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : a.high < b.high ? -1 : 1));
  const disjoint: Part[] = [];
  for (const next of sorted) {
    const last = disjoint[disjoint.length - 1];
    if (last && next.low <= last.high) {
      if (!contains(last, next)) disjoint[disjoint.length - 1] = mergeParts(last, next);
    } else if (last && isContinuation(last, next)) {
      disjoint[disjoint.length - 1] = { low: last.low, high: next.high, step: 1n };
    } else disjoint.push(next);
  }
  while (disjoint.length > MAX_PARTS) mergeNearest(disjoint);
  return { width, parts: disjoint };
}

/** Progressions that continue each other with a step of 1, so that ranges grow together instead of piling up. */
function isContinuation(a: Part, b: Part): boolean {
  return a.step === 1n && b.step === 1n && b.low === a.high + 1n;
}

function contains(outer: Part, inner: Part): boolean {
  return (
    inner.low >= outer.low &&
    inner.high <= outer.high &&
    mod(inner.low - outer.low, outer.step) === 0n &&
    (inner.low === inner.high || inner.step % outer.step === 0n)
  );
}

function mergeParts(a: Part, b: Part): Part {
  const low = a.low < b.low ? a.low : b.low;
  const high = a.high > b.high ? a.high : b.high;
  const stepA = a.low === a.high ? 0n : a.step;
  const stepB = b.low === b.high ? 0n : b.step;
  const step = gcd(gcd(stepA, stepB), b.low > a.low ? b.low - a.low : a.low - b.low);
  return part(low, high, step === 0n ? 1n : step);
}

function mergeNearest(parts: Part[]): void {
  let best = 0;
  let gap: bigint | null = null;
  for (let i = 0; i + 1 < parts.length; i++) {
    const distance = (parts[i + 1] as Part).low - (parts[i] as Part).high;
    if (gap === null || distance < gap) [best, gap] = [i, distance];
  }
  parts.splice(best, 2, mergeParts(parts[best] as Part, parts[best + 1] as Part));
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function mod(a: bigint, b: bigint): bigint {
  const r = a % b;
  return r < 0n ? r + b : r;
}

// ---------------------------------------------------------------- questions

export function isEmpty(set: ValueSet): boolean {
  return set.parts.length === 0;
}

/** The only value, or null. */
export function singleValue(set: ValueSet): bigint | null {
  const only = set.parts[0];
  return set.parts.length === 1 && only && only.low === only.high ? only.low : null;
}

export function minUnsigned(set: ValueSet): bigint {
  return set.parts[0]?.low ?? 0n;
}

export function maxUnsigned(set: ValueSet): bigint {
  return set.parts[set.parts.length - 1]?.high ?? 0n;
}

export function minSigned(set: ValueSet): bigint {
  const sign = 1n << BigInt(set.width - 1);
  for (const p of set.parts) {
    if (p.low >= sign) return p.low - 2n * sign;
    if (p.high >= sign) {
      const first = p.low + ((sign - p.low + p.step - 1n) / p.step) * p.step;
      return first - 2n * sign;
    }
  }
  return minUnsigned(set);
}

export function maxSigned(set: ValueSet): bigint {
  const sign = 1n << BigInt(set.width - 1);
  for (let i = set.parts.length - 1; i >= 0; i--) {
    const p = set.parts[i] as Part;
    if (p.high < sign) return p.high;
    if (p.low < sign) return p.low + ((sign - 1n - p.low) / p.step) * p.step;
  }
  return BigInt.asIntN(set.width, maxUnsigned(set));
}

export function hasValue(set: ValueSet, value: bigint): boolean {
  const v = BigInt.asUintN(set.width, value);
  return set.parts.some((p) => v >= p.low && v <= p.high && (v - p.low) % p.step === 0n);
}

/** How many values there are, at most. */
export function countValues(set: ValueSet): bigint {
  let count = 0n;
  for (const p of set.parts) count += (p.high - p.low) / p.step + 1n;
  return count;
}

/** The values one by one when there are at most `limit`, or null. */
export function enumerateValues(set: ValueSet, limit: number): bigint[] | null {
  if (countValues(set) > BigInt(limit)) return null;
  const values: bigint[] = [];
  for (const p of set.parts) for (let v = p.low; v <= p.high; v += p.step) values.push(v);
  return values;
}

export function sameSet(a: ValueSet, b: ValueSet): boolean {
  if (a === b) return true;
  if (a.width !== b.width || a.parts.length !== b.parts.length) return false;
  return a.parts.every((p, i) => {
    const q = b.parts[i] as Part;
    return p.low === q.low && p.high === q.high && p.step === q.step;
  });
}

/** True when every value of `inner` is one of `outer` (a sufficient test, exact for single parts). */
export function isSubset(inner: ValueSet, outer: ValueSet): boolean {
  return inner.parts.every((p) => outer.parts.some((q) => contains(q, p)));
}

/** True when the two sets have no value in common (a sufficient test). */
export function areDisjoint(a: ValueSet, b: ValueSet): boolean {
  return isEmpty(meetSets(a, b));
}

// ---------------------------------------------------------------- lattice

export function joinSets(a: ValueSet, b: ValueSet): ValueSet {
  invariant(a.width === b.width, 'join of sets of different widths');
  if (a === b || b.parts.length === 0) return a;
  if (a.parts.length === 0 || isSubset(a, b)) return b;
  if (isSubset(b, a)) return a;
  return normalise(a.width, [...a.parts, ...b.parts]);
}

export function meetSets(a: ValueSet, b: ValueSet): ValueSet {
  const parts: Part[] = [];
  for (const p of a.parts) for (const q of b.parts) parts.push(...meetParts(p, q));
  return normalise(a.width, parts);
}

function meetParts(p: Part, q: Part): Part[] {
  const [coarse, fine] = p.step >= q.step ? [p, q] : [q, p];
  let low = coarse.low;
  if (low < fine.low) low += ((fine.low - low + coarse.step - 1n) / coarse.step) * coarse.step;
  const high = coarse.high < fine.high ? coarse.high : fine.high;
  if (low > high) return [];
  if (fine.step === 1n || coarse.step % fine.step === 0n) {
    if (fine.step !== 1n && mod(low - fine.low, fine.step) !== 0n) return [];
    return [part(low, high, coarse.step)];
  }
  if (low === high) return mod(low - fine.low, fine.step) === 0n ? [part(low, low, 1n)] : [];
  return [part(low, high, coarse.step)];
}

/** Jumps to thresholds so that iteration ends: bounds that still grow go to the next power of two, or to the type's own. */
export function widenSets(before: ValueSet, after: ValueSet): ValueSet {
  if (isSubset(after, before)) return before;
  const width = before.width;
  const joined = joinSets(before, after);
  const [low, high] = [minSigned(joined), maxSigned(joined)];
  const limit = 1n << BigInt(width - 1);
  let wideLow = low;
  let wideHigh = high;
  if (low < minSigned(before)) wideLow = low >= 0n ? 0n : low === -1n ? -1n : -powerAtLeast(-low, limit);
  if (high > maxSigned(before)) wideHigh = high < 0n ? -1n : powerAtLeast(high + 1n, limit) - 1n;
  return signedRangeSet(width, wideLow, wideHigh);
}

function powerAtLeast(value: bigint, limit: bigint): bigint {
  let power = 1n;
  while (power < value) power <<= 4n;
  return power > limit ? limit : power;
}

// ---------------------------------------------------------------- arithmetic

/** Combines parts pairwise; falls back to the hulls of both sides when there are too many. */
function combine(width: number, a: ValueSet, b: ValueSet, combinePair: (p: Part, q: Part) => Part[]): ValueSet {
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const [left, right] = a.parts.length * b.parts.length > MAX_PAIRS ? [hull(a), hull(b)] : [a.parts, b.parts];
  const parts: Part[] = [];
  for (const p of left) for (const q of right) parts.push(...combinePair(p, q));
  return normalise(width, parts);
}

function hull(set: ValueSet): Part[] {
  return [set.parts.reduce(mergeParts)];
}

const stepOf = (p: Part) => (p.low === p.high ? 0n : p.step);

export function addSets(a: ValueSet, b: ValueSet): ValueSet {
  return combine(a.width, a, b, (p, q) =>
    wrapPart(a.width, p.low + q.low, p.high + q.high, gcd(stepOf(p), stepOf(q)) || 1n),
  );
}

export function negateSet(a: ValueSet): ValueSet {
  return normalise(
    a.width,
    a.parts.flatMap((p) => wrapPart(a.width, -p.high, -p.low, p.step)),
  );
}

export function subtractSets(a: ValueSet, b: ValueSet): ValueSet {
  return addSets(a, negateSet(b));
}

export function multiplySets(a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  const small = enumerateBoth(width, a, b, (x, y) => x * y);
  if (small) return small;
  const constant = singleValue(a) ?? singleValue(b);
  if (constant !== null) {
    const factor = BigInt.asIntN(width, constant);
    const other = singleValue(a) !== null ? b : a;
    return normalise(
      width,
      other.parts.flatMap((p) => {
        const [x, y] = [p.low * factor, p.high * factor];
        return wrapPart(
          width,
          x < y ? x : y,
          x < y ? y : x,
          factor === 0n ? 1n : p.step * (factor < 0n ? -factor : factor),
        );
      }),
    );
  }
  const high = maxUnsigned(a) * maxUnsigned(b);
  if (high <= maxOf(width)) return rangeSet(width, minUnsigned(a) * minUnsigned(b), high);
  const corners = [minSigned(a), maxSigned(a)].flatMap((x) => [x * minSigned(b), x * maxSigned(b)]);
  const [low, top] = [bigMin(corners), bigMax(corners)];
  const limit = 1n << BigInt(width - 1);
  return low >= -limit && top < limit ? signedRangeSet(width, low, top) : topSet(width);
}

/** The exact result when both sides have few values, or null. */
function enumerateBoth(
  width: number,
  a: ValueSet,
  b: ValueSet,
  operation: (x: bigint, y: bigint) => bigint,
): ValueSet | null {
  const [countA, countB] = [countValues(a), countValues(b)];
  if (countA * countB > 64n) return null;
  const [xs, ys] = [enumerateValues(a, 64), enumerateValues(b, 64)];
  if (!xs || !ys) return null;
  const values = new Set<bigint>();
  for (const x of xs) for (const y of ys) values.add(BigInt.asUintN(width, operation(x, y)));
  return normalise(
    width,
    [...values].map((v) => part(v, v, 1n)),
  );
}

const bigMin = (values: readonly bigint[]) => values.reduce((x, y) => (x < y ? x : y));
const bigMax = (values: readonly bigint[]) => values.reduce((x, y) => (x > y ? x : y));

/** Division by zero gives all ones, as in SMT-LIB; a check stands before it. */
export function divideUnsignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const small = enumerateBoth(width, a, b, (x, y) => (y === 0n ? maxOf(width) : x / y));
  if (small) return small;
  if (hasValue(b, 0n)) return topSet(width);
  return rangeSet(width, minUnsigned(a) / maxUnsigned(b), maxUnsigned(a) / minUnsigned(b));
}

export function remainderUnsignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const small = enumerateBoth(width, a, b, (x, y) => (y === 0n ? x : x % y));
  if (small) return small;
  if (hasValue(b, 0n)) return rangeSet(width, 0n, maxUnsigned(a));
  if (maxUnsigned(a) < minUnsigned(b)) return a;
  const high = maxUnsigned(b) - 1n;
  return rangeSet(width, 0n, high < maxUnsigned(a) ? high : maxUnsigned(a));
}

export function divideSignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  if (minSigned(a) >= 0n && minSigned(b) >= 0n) return divideUnsignedSets(a, b);
  const signed = (v: bigint) => BigInt.asIntN(width, v);
  const small = enumerateBoth(width, a, b, (x, y) => (y === 0n ? (signed(x) < 0n ? 1n : -1n) : signed(x) / signed(y)));
  if (small) return small;
  if (hasValue(b, 0n)) return topSet(width);
  const largest = bigMax([maxSigned(a), -minSigned(a)]);
  return largest >= 1n << BigInt(width - 1) ? topSet(width) : signedRangeSet(width, -largest, largest);
}

export function remainderSignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  if (minSigned(a) >= 0n && minSigned(b) >= 0n) return remainderUnsignedSets(a, b);
  const signed = (v: bigint) => BigInt.asIntN(width, v);
  const small = enumerateBoth(width, a, b, (x, y) => (y === 0n ? x : signed(x) % signed(y)));
  if (small) return small;
  if (hasValue(b, 0n)) return topSet(width);
  const bound = bigMax([maxSigned(b), -minSigned(b)]) - 1n;
  const low = minSigned(a) < 0n ? -bound : 0n;
  const high = maxSigned(a) > 0n ? bound : 0n;
  return signedRangeSet(
    width,
    bigMax([low, minSigned(a) < 0n ? minSigned(a) : 0n]),
    bigMin([high, maxSigned(a) > 0n ? maxSigned(a) : 0n]),
  );
}

// ---------------------------------------------------------------- bits

export function notSet(a: ValueSet): ValueSet {
  return addSets(negateSet(a), constantSet(a.width, maxOf(a.width)));
}

export function andSets(a: ValueSet, b: ValueSet): ValueSet {
  if (isEmpty(a) || isEmpty(b)) return emptySet(a.width);
  const small = enumerateBoth(a.width, a, b, (x, y) => x & y);
  if (small) return small;
  const mask = singleValue(a) ?? singleValue(b);
  const other = singleValue(a) !== null ? b : a;
  if (mask !== null && isLowMask(mask) && maxUnsigned(other) <= mask) return other;
  const high = bigMin([maxUnsigned(a), maxUnsigned(b)]);
  const step = mask !== null && mask !== 0n ? mask & -mask : 1n;
  return rangeSet(a.width, 0n, high, step);
}

export function orSets(a: ValueSet, b: ValueSet): ValueSet {
  if (isEmpty(a) || isEmpty(b)) return emptySet(a.width);
  const small = enumerateBoth(a.width, a, b, (x, y) => x | y);
  if (small) return small;
  return rangeSet(a.width, bigMax([minUnsigned(a), minUnsigned(b)]), onesCovering(maxUnsigned(a) | maxUnsigned(b)));
}

export function xorSets(a: ValueSet, b: ValueSet): ValueSet {
  if (isEmpty(a) || isEmpty(b)) return emptySet(a.width);
  const small = enumerateBoth(a.width, a, b, (x, y) => x ^ y);
  if (small) return small;
  return rangeSet(a.width, 0n, onesCovering(maxUnsigned(a) | maxUnsigned(b)));
}

const isLowMask = (mask: bigint) => (mask & (mask + 1n)) === 0n;

function onesCovering(value: bigint): bigint {
  return value === 0n ? 0n : (1n << BigInt(bitLength(value))) - 1n;
}

export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** The amount has the same width; amounts of `width` and more shift everything out. */
export function shiftLeftSets(a: ValueSet, amount: ValueSet): ValueSet {
  const width = a.width;
  const by = singleValue(amount);
  if (by !== null) {
    return by >= BigInt(width) ? constantSet(width, 0n) : multiplySets(a, constantSet(width, 1n << by));
  }
  const small = enumerateBoth(width, a, amount, (x, y) => (y >= BigInt(width) ? 0n : x << y));
  if (small) return small;
  const most = maxUnsigned(amount);
  if (most < BigInt(width) && maxUnsigned(a) << most <= maxOf(width))
    return rangeSet(width, 0n, maxUnsigned(a) << most);
  return isEmpty(a) || isEmpty(amount) ? emptySet(width) : topSet(width);
}

export function shiftRightLogicalSets(a: ValueSet, amount: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(amount)) return emptySet(width);
  const small = enumerateBoth(width, a, amount, (x, y) => (y >= BigInt(width) ? 0n : x >> y));
  if (small) return small;
  const shifted = (v: bigint, by: bigint) => (by >= BigInt(width) ? 0n : v >> by);
  return rangeSet(width, shifted(minUnsigned(a), maxUnsigned(amount)), shifted(maxUnsigned(a), minUnsigned(amount)));
}

export function shiftRightArithmeticSets(a: ValueSet, amount: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(a) || isEmpty(amount)) return emptySet(width);
  if (minSigned(a) >= 0n) return shiftRightLogicalSets(a, amount);
  const most = BigInt(width - 1);
  const clamp = (by: bigint) => (by > most ? most : by);
  const small = enumerateBoth(width, a, amount, (x, y) => BigInt.asIntN(width, x) >> clamp(y));
  if (small) return small;
  const [few, many] = [clamp(minUnsigned(amount)), clamp(maxUnsigned(amount))];
  const corners = [minSigned(a) >> few, minSigned(a) >> many, maxSigned(a) >> few, maxSigned(a) >> many];
  return signedRangeSet(width, bigMin(corners), bigMax(corners));
}

// ---------------------------------------------------------------- widths

export function zeroExtendSet(a: ValueSet, width: number): ValueSet {
  return { width, parts: a.parts };
}

export function signExtendSet(a: ValueSet, width: number): ValueSet {
  const sign = 1n << BigInt(a.width - 1);
  if (maxUnsigned(a) < sign) return { width, parts: a.parts };
  const up = (1n << BigInt(width)) - 2n * sign;
  const parts: Part[] = [];
  for (const p of a.parts) {
    if (p.high < sign) parts.push(p);
    else if (p.low >= sign) parts.push({ low: p.low + up, high: p.high + up, step: p.step });
    else {
      const first = p.low + ((sign - p.low + p.step - 1n) / p.step) * p.step;
      parts.push(part(p.low, first - p.step, p.step), part(first + up, p.high + up, p.step));
    }
  }
  return normalise(width, parts);
}

/** The bits low .. low+width-1. */
export function extractSet(a: ValueSet, low: number, width: number): ValueSet {
  const shifted = low === 0 ? a : shiftRightLogicalSets(a, constantSet(a.width, BigInt(low)));
  return normalise(
    width,
    shifted.parts.flatMap((p) => wrapPart(width, p.low, p.high, p.step)),
  );
}

export function concatSets(high: ValueSet, low: ValueSet): ValueSet {
  const width = high.width + low.width;
  const scaled = multiplySets(zeroExtendSet(high, width), constantSet(width, 1n << BigInt(low.width)));
  return addSets(scaled, zeroExtendSet(low, width));
}

// ---------------------------------------------------------------- comparisons and refinement

export type Comparison = 'eq' | 'ult' | 'slt';

/** True, false, or null when both are possible. */
export function compareSets(comparison: Comparison, a: ValueSet, b: ValueSet): boolean | null {
  if (isEmpty(a) || isEmpty(b)) return null;
  switch (comparison) {
    case 'eq': {
      const [x, y] = [singleValue(a), singleValue(b)];
      if (x !== null && x === y) return true;
      return areDisjoint(a, b) ? false : null;
    }
    case 'ult':
      if (maxUnsigned(a) < minUnsigned(b)) return true;
      return minUnsigned(a) >= maxUnsigned(b) ? false : null;
    case 'slt':
      if (maxSigned(a) < minSigned(b)) return true;
      return minSigned(a) >= maxSigned(b) ? false : null;
  }
}

/** The values of `a` for which `a comparison b` can be `truth` for some value of b. */
export function refineLeft(comparison: Comparison, truth: boolean, a: ValueSet, b: ValueSet): ValueSet {
  const width = a.width;
  if (isEmpty(b)) return emptySet(width);
  switch (comparison) {
    case 'eq': {
      if (truth) return meetSets(a, b);
      const only = singleValue(b);
      return only === null ? a : withoutValue(a, only);
    }
    case 'ult':
      if (!truth) return meetSets(a, rangeSet(width, minUnsigned(b), maxOf(width)));
      return maxUnsigned(b) === 0n ? emptySet(width) : meetSets(a, rangeSet(width, 0n, maxUnsigned(b) - 1n));
    case 'slt': {
      const limit = 1n << BigInt(width - 1);
      if (!truth) return meetSets(a, signedRangeSet(width, minSigned(b), limit - 1n));
      return maxSigned(b) === -limit ? emptySet(width) : meetSets(a, signedRangeSet(width, -limit, maxSigned(b) - 1n));
    }
  }
}

/** The values of `b` for which `a comparison b` can be `truth` for some value of a. */
export function refineRight(comparison: Comparison, truth: boolean, a: ValueSet, b: ValueSet): ValueSet {
  const width = b.width;
  if (isEmpty(a)) return emptySet(width);
  switch (comparison) {
    case 'eq':
      return refineLeft('eq', truth, b, a);
    case 'ult':
      if (!truth) return meetSets(b, rangeSet(width, 0n, maxUnsigned(a)));
      return minUnsigned(a) === maxOf(width)
        ? emptySet(width)
        : meetSets(b, rangeSet(width, minUnsigned(a) + 1n, maxOf(width)));
    case 'slt': {
      const limit = 1n << BigInt(width - 1);
      if (!truth) return meetSets(b, signedRangeSet(width, -limit, maxSigned(a)));
      return minSigned(a) === limit - 1n
        ? emptySet(width)
        : meetSets(b, signedRangeSet(width, minSigned(a) + 1n, limit - 1n));
    }
  }
}

function withoutValue(set: ValueSet, value: bigint): ValueSet {
  if (!hasValue(set, value)) return set;
  const parts: Part[] = [];
  for (const p of set.parts) {
    if (value < p.low || value > p.high || (value - p.low) % p.step !== 0n) parts.push(p);
    else {
      if (value > p.low) parts.push(part(p.low, value - p.step, p.step));
      if (value < p.high) parts.push(part(value + p.step, p.high, p.step));
    }
  }
  return parts.length > MAX_PARTS ? set : { width: set.width, parts };
}

// ---------------------------------------------------------------- shape in bits

export interface BitShape {
  /** Bits that are the same in all values, and what they are. */
  readonly known: bigint;
  readonly value: bigint;
  /** Bits from here up equal bit `extent - 1` (a sign that is repeated); `width` when there is no such repetition. */
  readonly extent: number;
}

/** Which bits of the values are fixed, and from where on they only repeat the sign. */
export function bitShape(set: ValueSet): BitShape {
  const width = set.width;
  if (isEmpty(set)) return { known: maxOf(width), value: 0n, extent: width };
  let varying = 0n;
  const first = minUnsigned(set);
  for (const p of set.parts) {
    varying |= p.low ^ first;
    if (p.low !== p.high) {
      const trailing = p.step & -p.step;
      varying |= onesCovering(p.low ^ p.high) & ~(trailing - 1n);
    }
  }
  const known = maxOf(width) & ~varying;
  const [low, high] = [minSigned(set), maxSigned(set)];
  let extent = width;
  if (low < 0n && high >= 0n) extent = 1 + Math.max(bitLength(high), bitLength(-low - 1n));
  return { known, value: first & known, extent: Math.min(extent, width) };
}

/** How many bits the values need: those that vary. */
export function bitsNeeded(set: ValueSet): number {
  const shape = bitShape(set);
  let bits = 0;
  for (let i = 0; i < shape.extent; i++) if (((shape.known >> BigInt(i)) & 1n) === 0n) bits++;
  return bits;
}

/** For people: `{0, 1, 5}`, `-1 … 3`, `0 … 96 step 4`. */
export function printSet(set: ValueSet, signed: boolean): string {
  if (isEmpty(set)) return 'none';
  const show = (v: bigint) => (signed ? BigInt.asIntN(set.width, v) : v).toString();
  const few = enumerateValues(set, 6);
  if (few) {
    const shown = few
      .map((v) => (signed ? BigInt.asIntN(set.width, v) : v))
      .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${shown.join(', ')}}`;
  }
  if (!signed || set.parts.length === 1) {
    return set.parts
      .map((p) =>
        p.low === p.high ? show(p.low) : `${show(p.low)} … ${show(p.high)}${p.step > 1n ? ` step ${p.step}` : ''}`,
      )
      .join(', ');
  }
  return `${minSigned(set)} … ${maxSigned(set)}`;
}

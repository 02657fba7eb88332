/**
 * Value sets: the abstract values of the value analysis. A set describes which bit patterns of a given width a value
 * can have: a short sorted list of disjoint parts, each an arithmetic progression `low, low+step, …, high` of unsigned
 * numbers (value-set-parts.ts). One form serves for everything the engine needs to know:
 * - constants and small sets of constants are parts of one element;
 * - ranges are parts with step 1, and the signed view is the unsigned one cut at the sign bit;
 * - pointers are addresses in a flat memory, so "object A at offsets 0, 12, 24, or NULL" is two parts.
 *
 * Sets over-approximate: every operation returns a set that contains all results. The empty set means "no value": the
 * code is not reached. Here are the form, its construction, the questions to it and the lattice; operations on values
 * are in value-set-arithmetic.ts and value-set-bits.ts, conditions in value-set-comparisons.ts, the form in bits in
 * bit-shape.ts.
 */

import { invariant } from '../support/invariant.ts';
import {
  containsPart,
  countOf,
  firstFrom,
  hasElement,
  isSingle,
  maxOf,
  meetParts,
  normaliseParts,
  part,
  pushWrapped,
  type SetPart,
} from './value-set-parts.ts';

export interface ValueSet {
  readonly width: number;
  readonly parts: readonly SetPart[];
}

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
  return { width, parts: [part(low, high, step)] };
}

/** The values low..high read as signed numbers, in steps. */
export function signedRangeSet(width: number, low: bigint, high: bigint, step = 1n): ValueSet {
  const parts: SetPart[] = [];
  pushWrapped(parts, width, low, high, step);
  return setOfParts(width, parts);
}

/** The given values. */
export function setOfValues(width: number, values: Iterable<bigint>): ValueSet {
  const parts: SetPart[] = [];
  for (const value of values) {
    const v = BigInt.asUintN(width, value);
    parts.push({ low: v, high: v, step: 1n });
  }
  return setOfParts(width, parts);
}

/** The set of parts that lie inside the width, in any order and overlapping. */
export function setOfParts(width: number, parts: readonly SetPart[]): ValueSet {
  return { width, parts: normaliseParts(parts) };
}

// ---------------------------------------------------------------- questions

export function isEmpty(set: ValueSet): boolean {
  return set.parts.length === 0;
}

/** The only value, or null. */
export function singleValue(set: ValueSet): bigint | null {
  if (set.parts.length !== 1) return null;
  const only = set.parts[0] as SetPart;
  return only.low === only.high ? only.low : null;
}

export function minUnsigned(set: ValueSet): bigint {
  return set.parts[0]?.low ?? 0n;
}

export function maxUnsigned(set: ValueSet): bigint {
  return set.parts[set.parts.length - 1]?.high ?? 0n;
}

export function minSigned(set: ValueSet): bigint {
  const half = maxOf(set.width - 1);
  if (maxUnsigned(set) <= half) return minUnsigned(set);
  for (const p of set.parts) if (p.high > half) return BigInt.asIntN(set.width, firstFrom(p, half + 1n));
  return 0n;
}

export function maxSigned(set: ValueSet): bigint {
  const half = maxOf(set.width - 1);
  for (let i = set.parts.length - 1; i >= 0; i--) {
    const p = set.parts[i] as SetPart;
    if (p.high <= half) return p.high;
    if (p.low <= half) return part(p.low, half, p.step).high;
  }
  return BigInt.asIntN(set.width, maxUnsigned(set));
}

/** The parts as signed numbers: each is negative as a whole or not at all. */
export function signedParts(set: ValueSet): readonly SetPart[] {
  const half = maxOf(set.width - 1);
  if (maxUnsigned(set) <= half) return set.parts;
  const size = maxOf(set.width) + 1n;
  const parts: SetPart[] = [];
  for (const p of set.parts) {
    if (p.low <= half) parts.push(part(p.low, p.high <= half ? p.high : half, p.step));
    if (p.high > half) parts.push(part(firstFrom(p, half + 1n) - size, p.high - size, p.step));
  }
  return parts;
}

export function hasValue(set: ValueSet, value: bigint): boolean {
  const v = BigInt.asUintN(set.width, value);
  for (const p of set.parts) if (hasElement(p, v)) return true;
  return false;
}

/** How many values there are. */
export function countValues(set: ValueSet): bigint {
  let count = 0n;
  for (const p of set.parts) count += countOf(p);
  return count;
}

/** The values one by one when there are at most `limit`, or null. */
export function enumerateValues(set: ValueSet, limit: number): bigint[] | null {
  if (set.parts.length > limit || countValues(set) > BigInt(limit)) return null;
  const values: bigint[] = [];
  for (const p of set.parts) for (let v = p.low; v <= p.high; v += p.step) values.push(v);
  return values;
}

/** True when the two sets have the same values, however they are divided into parts. */
export function sameSet(a: ValueSet, b: ValueSet): boolean {
  if (a === b) return true;
  if (a.width !== b.width) return false;
  if (a.parts.length === b.parts.length) {
    const same = (p: SetPart, q: SetPart) => p.low === q.low && p.high === q.high && p.step === q.step;
    if (a.parts.every((p, i) => same(p, b.parts[i] as SetPart))) return true;
  }
  if (minUnsigned(a) !== minUnsigned(b) || maxUnsigned(a) !== maxUnsigned(b)) return false;
  return countValues(a) === countValues(b) && isSubset(a, b);
}

/** True when every value of `inner` is one of `outer`. */
export function isSubset(inner: ValueSet, outer: ValueSet): boolean {
  let from = 0;
  for (const p of inner.parts) {
    while (from < outer.parts.length && (outer.parts[from] as SetPart).high < p.low) from++;
    const q = outer.parts[from];
    if (!q || q.low > p.low || !hasElement(q, p.low)) return false;
    if (!containsPart(q, p) && !isCovered(p, outer.parts, from)) return false;
  }
  return true;
}

/** True when the disjoint parts from an index on have all elements of p between them. */
function isCovered(p: SetPart, parts: readonly SetPart[], from: number): boolean {
  let missing = countOf(p);
  for (let i = from; i < parts.length && (parts[i] as SetPart).low <= p.high; i++) {
    const common = meetParts(p, parts[i] as SetPart);
    if (common) missing -= countOf(common);
  }
  return missing === 0n;
}

/** True when the two sets have no value in common. */
export function areDisjoint(a: ValueSet, b: ValueSet): boolean {
  return !someCommonPart(a, b, () => true);
}

/** Walks over the parts of a ∩ b in ascending order, until `visit` says true. */
function someCommonPart(a: ValueSet, b: ValueSet, visit: (common: SetPart) => boolean): boolean {
  let [i, j] = [0, 0];
  while (i < a.parts.length && j < b.parts.length) {
    const [p, q] = [a.parts[i] as SetPart, b.parts[j] as SetPart];
    const common = p.high < q.low || q.high < p.low ? null : meetParts(p, q);
    if (common && visit(common)) return true;
    if (p.high <= q.high) i++;
    if (q.high <= p.high) j++;
  }
  return false;
}

// ---------------------------------------------------------------- lattice

export function joinSets(a: ValueSet, b: ValueSet): ValueSet {
  invariant(a.width === b.width, 'join of sets of different widths');
  if (a === b || b.parts.length === 0) return a;
  if (a.parts.length === 0 || isSubset(a, b)) return b;
  if (isSubset(b, a)) return a;
  return setOfParts(a.width, [...a.parts, ...b.parts]);
}

/** The common values: exactly, unless they would need too many parts. */
export function meetSets(a: ValueSet, b: ValueSet): ValueSet {
  invariant(a.width === b.width, 'meet of sets of different widths');
  if (a === b) return a;
  const parts: SetPart[] = [];
  someCommonPart(a, b, (common) => {
    parts.push(common);
    return false;
  });
  return setOfParts(a.width, parts);
}

/** The values of the set between two unsigned bounds. */
export function cutSet(set: ValueSet, low: bigint, high: bigint): ValueSet {
  if (low <= minUnsigned(set) && maxUnsigned(set) <= high) return set;
  const parts: SetPart[] = [];
  for (const p of set.parts) {
    const first = firstFrom(p, low);
    const last = p.high < high ? p.high : high;
    if (first <= last) parts.push(part(first, last, p.step));
  }
  return { width: set.width, parts };
}

/** The set without one value; the set itself when that would need too many parts. */
export function withoutValue(set: ValueSet, value: bigint): ValueSet {
  if (!hasValue(set, value)) return set;
  const v = BigInt.asUintN(set.width, value);
  const parts: SetPart[] = [];
  for (const p of set.parts) {
    if (!hasElement(p, v)) parts.push(p);
    else {
      if (v > p.low) parts.push(part(p.low, v - p.step, p.step));
      if (v < p.high) parts.push(part(v + p.step, p.high, p.step));
    }
  }
  return setOfParts(set.width, parts);
}

// ---------------------------------------------------------------- printing

/** For people: `{0, 1, 5}`, `-1 … 3`, `0 … 96 step 4`. */
export function printSet(set: ValueSet, signed: boolean): string {
  if (isEmpty(set)) return 'none';
  const parts = [...(signed ? signedParts(set) : set.parts)].sort((p, q) => (p.low < q.low ? -1 : 1));
  if (countValues(set) <= 6n) {
    const values = parts.flatMap((p) => {
      const few: bigint[] = [];
      for (let v = p.low; v <= p.high; v += p.step) few.push(v);
      return few;
    });
    return `{${values.join(', ')}}`;
  }
  if (
    signed &&
    parts.length === 2 &&
    parts.every((p) => p.step === 1n) &&
    parts[0]?.high === -1n &&
    parts[1]?.low === 0n
  ) {
    return `${parts[0].low} … ${parts[1].high}`;
  }
  return parts.map(printPart).join(', ');
}

function printPart(p: SetPart): string {
  if (isSingle(p)) return `${p.low}`;
  return `${p.low} … ${p.high}${p.step > 1n ? ` step ${p.step}` : ''}`;
}

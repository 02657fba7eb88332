/**
 * The parts of which value sets are made: arithmetic progressions `low, low+step, …, high`. A set's parts are sorted
 * and do not interleave, so that the smallest and largest values stand at the ends and two sets are walked side by
 * side.
 *
 * `normaliseParts` brings any list into this form. It stays exact as long as the list is short enough: neighbours that
 * continue each other become one, a single value amid a progression splits it. Past MAX_PARTS neighbours are merged
 * over the smallest gaps, but over a border of 64 KiB only as a last resort: objects of the flat memory lie at least
 * that far apart, and a pointer's candidates should not grow by the objects in between.
 */

import { invariant } from '../support/invariant.ts';

export interface SetPart {
  readonly low: bigint;
  readonly high: bigint;
  /** At least 1; low + k * step reaches high exactly. 1 for a single value. */
  readonly step: bigint;
}

export const MAX_PARTS = 24;
/** Addresses that agree above these bits may belong to the same object. */
export const REGION_BITS = 16n;
const REGION = 1n << REGION_BITS;

const WIDEST_CACHED = 128;
const MAXIMA = Array.from({ length: WIDEST_CACHED + 1 }, (_, width) => (1n << BigInt(width)) - 1n);

/** The largest unsigned number of a width. */
export function maxOf(width: number): bigint {
  return MAXIMA[width] ?? (1n << BigInt(width)) - 1n;
}

// ---------------------------------------------------------------- one part

/** The progression from `low` on that does not pass `high`. */
export function part(low: bigint, high: bigint, step: bigint): SetPart {
  if (step === 1n || low === high) return { low, high, step: 1n };
  const top = high - ((high - low) % step);
  return top === low ? { low, high: low, step: 1n } : { low, high: top, step };
}

export function isSingle(p: SetPart): boolean {
  return p.low === p.high;
}

export function countOf(p: SetPart): bigint {
  return p.step === 1n ? p.high - p.low + 1n : (p.high - p.low) / p.step + 1n;
}

/** The first element that is at least `bound`, which may lie past the end. */
export function firstFrom(p: SetPart, bound: bigint): bigint {
  if (bound <= p.low) return p.low;
  if (p.step === 1n) return bound;
  return p.low + ((bound - p.low + p.step - 1n) / p.step) * p.step;
}

export function hasElement(p: SetPart, value: bigint): boolean {
  return value >= p.low && value <= p.high && (p.step === 1n || (value - p.low) % p.step === 0n);
}

export function containsPart(outer: SetPart, inner: SetPart): boolean {
  if (inner.low < outer.low || inner.high > outer.high) return false;
  if (outer.step === 1n) return true;
  return (inner.low - outer.low) % outer.step === 0n && (isSingle(inner) || inner.step % outer.step === 0n);
}

/** The distance of the elements, 0 when there is only one: so that a greatest common divisor ignores single values. */
export function stepOf(p: SetPart): bigint {
  return p.low === p.high ? 0n : p.step;
}

/** The smallest progression that covers both. */
export function mergeParts(a: SetPart, b: SetPart): SetPart {
  const low = a.low < b.low ? a.low : b.low;
  const high = a.high > b.high ? a.high : b.high;
  if (low === high) return a;
  return { low, high, step: gcd(gcd(stepOf(a), stepOf(b)), a.low - b.low) };
}

/** The common elements, exactly. */
export function meetParts(p: SetPart, q: SetPart): SetPart | null {
  const low = p.low > q.low ? p.low : q.low;
  const high = p.high < q.high ? p.high : q.high;
  if (low > high) return null;
  if (p.step === 1n) return fromTo(q, low, high);
  if (q.step === 1n) return fromTo(p, low, high);
  const common = gcd(p.step, q.step);
  const apart = q.low - p.low;
  if (apart % common !== 0n) return null;
  // low + k * step is in q when k * (step / common) ≡ apart / common modulo q.step / common.
  const modulus = q.step / common;
  const k = mod((apart / common) * inverse(mod(p.step / common, modulus), modulus), modulus);
  return fromTo({ low: p.low + k * p.step, high, step: p.step * modulus }, low, high);
}

function fromTo(p: SetPart, low: bigint, high: bigint): SetPart | null {
  const first = p.low >= low ? p.low - ((p.low - low) / p.step) * p.step : firstFrom(p, low);
  return first > high ? null : part(first, high, p.step);
}

/** Adds the progression of unbounded integers to the list, cut to the width: as one part, two, or few single values. */
export function pushWrapped(parts: SetPart[], width: number, low: bigint, high: bigint, step: bigint): void {
  const max = maxOf(width);
  if (low >= 0n && high <= max) {
    parts.push(part(low, high, step));
    return;
  }
  if (high - low > max) {
    if ((high - low) / step < 8n) {
      for (let v = low; v <= high; v += step) parts.push(part(BigInt.asUintN(width, v), BigInt.asUintN(width, v), 1n));
    } else {
      const kept = gcd(step, max + 1n);
      parts.push(part(mod(low, kept), max, kept));
    }
    return;
  }
  const wrapped = BigInt.asUintN(width, low);
  const top = wrapped + (high - low);
  if (top <= max) parts.push(part(wrapped, top, step));
  else {
    const below = part(wrapped, max, step);
    const first = below.high + step;
    if (first <= top) parts.push(part(first - max - 1n, top - max - 1n, step));
    parts.push(below);
  }
}

// ---------------------------------------------------------------- lists of parts

/** Sorts parts, resolves overlaps, joins what continues each other, and merges until at most MAX_PARTS are left. */
export function normaliseParts(parts: readonly SetPart[]): readonly SetPart[] {
  if (parts.length <= 1) return parts;
  const done: SetPart[] = [];
  if (isAscending(parts)) for (const next of parts) append(done, next);
  else resolveOverlaps([...parts].sort(descending), done);
  return coarsenParts(done, MAX_PARTS);
}

function isAscending(parts: readonly SetPart[]): boolean {
  for (let i = 1; i < parts.length; i++) if ((parts[i] as SetPart).low <= (parts[i - 1] as SetPart).high) return false;
  return true;
}

/** Moves the parts of a descending list, from its end, into an ascending one without overlaps. */
function resolveOverlaps(pending: SetPart[], done: SetPart[]): void {
  let splits = 0;
  while (pending.length > 0) {
    const next = pending.pop() as SetPart;
    const last = done[done.length - 1];
    if (!last || next.low > last.high) append(done, next);
    else if (containsPart(last, next)) continue;
    else if (containsPart(next, last)) {
      done.pop();
      pending.push(next);
    } else if (isSingle(next) && splits < MAX_PARTS) {
      splits++;
      const below = part(last.low, next.low, last.step);
      done[done.length - 1] = below;
      insertSorted(pending, part(below.high + last.step, last.high, last.step));
      append(done, next);
    } else done[done.length - 1] = mergeParts(last, next);
  }
}

function descending(a: SetPart, b: SetPart): number {
  if (a.low !== b.low) return a.low < b.low ? 1 : -1;
  return a.high < b.high ? 1 : a.high > b.high ? -1 : 0;
}

function insertSorted(pending: SetPart[], p: SetPart): void {
  let at = pending.length;
  while (at > 0 && descending(pending[at - 1] as SetPart, p) > 0) at--;
  pending.splice(at, 0, p);
}

/** Adds a part that lies above all others; joins it with the last ones where that is exact. */
function append(done: SetPart[], next: SetPart): void {
  const last = done[done.length - 1];
  const gap = last ? next.low - last.high : REGION;
  if (!last || gap >= REGION || !canStepBy(last, gap) || !canStepBy(next, gap)) done.push(next);
  else if (gap === 1n || !isSingle(last) || !isSingle(next)) {
    done[done.length - 1] = { low: last.low, high: next.high, step: gap };
  } else {
    const before = done[done.length - 2];
    if (before && isSingle(before) && last.low - before.low === gap) {
      done.length -= 2;
      done.push({ low: before.low, high: next.high, step: gap });
    } else done.push(next);
  }
}

function canStepBy(p: SetPart, step: bigint): boolean {
  return p.step === step || isSingle(p);
}

/** At most `limit` parts that cover the given ones: neighbours are merged over the smallest gaps. */
export function coarsenParts(parts: readonly SetPart[], limit: number): readonly SetPart[] {
  if (parts.length <= limit) return parts;
  const gaps: { readonly at: number; readonly cost: number }[] = [];
  for (let i = 0; i + 1 < parts.length; i++) {
    const [a, b] = [parts[i] as SetPart, parts[i + 1] as SetPart];
    const crosses = a.low >> REGION_BITS !== b.high >> REGION_BITS;
    gaps.push({ at: i, cost: Number(b.low - a.high) * (crosses ? 2 ** 80 : 1) });
  }
  gaps.sort((x, y) => x.cost - y.cost);
  const merged = new Set(gaps.slice(0, parts.length - limit).map((gap) => gap.at));
  const result: SetPart[] = [];
  parts.forEach((p, i) => {
    if (merged.has(i - 1)) result[result.length - 1] = mergeParts(result[result.length - 1] as SetPart, p);
    else result.push(p);
  });
  return result;
}

// ---------------------------------------------------------------- numbers

/** The greatest common divisor of the absolute values; that with 0 is the other one. */
export function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  if (x === 1n || y === 1n) return 1n;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The remainder that is not negative. */
export function mod(a: bigint, b: bigint): bigint {
  const r = a % b;
  return r < 0n ? r + b : r;
}

/** The inverse of a modulo m, which have no common divisor. */
function inverse(a: bigint, m: bigint): bigint {
  if (m === 1n) return 0n;
  let [r, next] = [m, a];
  let [x, xNext] = [0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [x, xNext] = [xNext, x - quotient * xNext];
  }
  invariant(r === 1n, 'the numbers have a common divisor');
  return mod(x, m);
}

/**
 * Widening: the step of the fixpoint iteration that makes it end. Bounds that still grow jump to the next threshold (a
 * power of 16, then the bounds of the width); steps between the values are kept, so that a counter that goes by fours
 * stays a multiple of four.
 *
 * Addresses are widened object by object: while a set only grows inside the 64 KiB regions that it has values in
 * already, each of them grows to the region's end at most, so that a pointer that walks over an array does not become a
 * pointer to everything.
 *
 * Why it ends: regions are never lost and at most MAX_REGIONS are followed; inside one each bound jumps once and the
 * step only gets smaller; otherwise the bounds of the whole have finitely many thresholds.
 */

import { pushAll } from '../support/push-all.ts';
import { isSubset, joinSets, setOfParts, signedParts, signedRangeSet, type ValueSet } from './value-set.ts';
import { maxOf, mergeParts, part, REGION_BITS, type SetPart } from './value-set-parts.ts';

const MAX_REGIONS = 12;
const REGION_MASK = (1n << REGION_BITS) - 1n;

/** A set that contains both, such that repeated widening becomes stable. */
export function widenSets(before: ValueSet, after: ValueSet): ValueSet {
  if (isSubset(after, before)) return before;
  if (before.parts.length === 0) return after;
  const joined = joinSets(before, after);
  return widenByRegion(before, joined) ?? widenHull(before, joined);
}

/**
 * The parts by region; negative and small numbers are in region 0. Null when a part spans several, or there are too
 * many.
 */
function splitByRegion(set: ValueSet): Map<bigint, SetPart> | null {
  const top = maxOf(set.width) >> REGION_BITS;
  const regions = new Map<bigint, SetPart>();
  for (const p of set.parts) {
    const region = p.low >> REGION_BITS;
    if (region !== p.high >> REGION_BITS) return null;
    if (region === 0n || region === top) continue;
    const hull = regions.get(region);
    regions.set(region, hull ? mergeParts(hull, p) : p);
    if (regions.size > MAX_REGIONS) return null;
  }
  return regions;
}

function widenByRegion(before: ValueSet, joined: ValueSet): ValueSet | null {
  const now = splitByRegion(joined);
  const known = now && splitByRegion(before);
  if (!now || !known || now.size === 0) return null;
  if ([...now.keys()].some((region) => !known.has(region))) return joined;
  const parts: SetPart[] = [];
  for (const [region, hull] of now) {
    const old = known.get(region) as SetPart;
    const low = hull.low < old.low ? hull.low - ((hull.low & REGION_MASK) / hull.step) * hull.step : hull.low;
    const high = hull.high > old.high ? hull.high | REGION_MASK : hull.high;
    parts.push(part(low, high, hull.step));
  }
  const numbers = (set: ValueSet) => ({
    width: set.width,
    parts: set.parts.filter((p) => !now.has(p.low >> REGION_BITS)),
  });
  const [oldNumbers, newNumbers] = [numbers(before), numbers(joined)];
  if (newNumbers.parts.length > 0) pushAll(parts, widenNumbers(oldNumbers, newNumbers).parts);
  return setOfParts(joined.width, parts);
}

function widenNumbers(before: ValueSet, joined: ValueSet): ValueSet {
  if (before.parts.length === 0 || isSubset(joined, before)) return joined;
  return widenHull(before, joined);
}

/** The whole as one signed range in steps, its growing bounds moved to thresholds. */
function widenHull(before: ValueSet, joined: ValueSet): ValueSet {
  const old = signedParts(before).reduce(mergeParts);
  const hull = signedParts(joined).reduce(mergeParts);
  const limit = maxOf(joined.width - 1) + 1n;
  const lowest = hull.low < old.low ? lowThreshold(hull.low, limit) : hull.low;
  const highest = hull.high > old.high ? highThreshold(hull.high, limit) : hull.high;
  const low = hull.low - ((hull.low - lowest) / hull.step) * hull.step;
  return signedRangeSet(joined.width, low, highest, hull.step);
}

function lowThreshold(low: bigint, limit: bigint): bigint {
  if (low >= 0n) return 0n;
  return low === -1n ? -1n : -powerAtLeast(-low, limit);
}

function highThreshold(high: bigint, limit: bigint): bigint {
  return high < 0n ? -1n : powerAtLeast(high + 1n, limit) - 1n;
}

function powerAtLeast(value: bigint, limit: bigint): bigint {
  let power = 1n;
  while (power < value) power <<= 4n;
  return power > limit ? limit : power;
}

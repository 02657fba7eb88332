/**
 * Conditions on value sets: whether a comparison is decided, and what is left of each side once it is known to hold or
 * to fail.
 */

import { pushAll } from '../support/push-all.ts';
import {
  areDisjoint,
  cutSet,
  emptySet,
  isEmpty,
  maxSigned,
  maxUnsigned,
  meetSets,
  minSigned,
  minUnsigned,
  singleValue,
  type ValueSet,
  withoutValue,
} from './value-set.ts';
import { maxOf, type SetPart } from './value-set-parts.ts';

export type Comparison = 'eq' | 'ult' | 'slt';

/** True, false, or null when both are possible. */
export function compareSets(comparison: Comparison, a: ValueSet, b: ValueSet): boolean | null {
  if (isEmpty(a) || isEmpty(b)) return null;
  switch (comparison) {
    case 'eq': {
      const x = singleValue(a);
      if (x !== null && x === singleValue(b)) return true;
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
  if (isEmpty(b)) return emptySet(a.width);
  switch (comparison) {
    case 'eq':
      return refineEqual(truth, a, b);
    case 'ult':
      return truth ? cutSet(a, 0n, maxUnsigned(b) - 1n) : cutSet(a, minUnsigned(b), maxOf(a.width));
    case 'slt':
      return truth ? cutSigned(a, lowest(a), maxSigned(b) - 1n) : cutSigned(a, minSigned(b), highest(a));
  }
}

/** The values of `b` for which `a comparison b` can be `truth` for some value of a. */
export function refineRight(comparison: Comparison, truth: boolean, a: ValueSet, b: ValueSet): ValueSet {
  if (isEmpty(a)) return emptySet(b.width);
  switch (comparison) {
    case 'eq':
      return refineEqual(truth, b, a);
    case 'ult':
      return truth ? cutSet(b, minUnsigned(a) + 1n, maxOf(b.width)) : cutSet(b, 0n, maxUnsigned(a));
    case 'slt':
      return truth ? cutSigned(b, minSigned(a) + 1n, highest(b)) : cutSigned(b, lowest(b), maxSigned(a));
  }
}

function refineEqual(truth: boolean, a: ValueSet, b: ValueSet): ValueSet {
  if (truth) return meetSets(a, b);
  const only = singleValue(b);
  return only === null ? a : withoutValue(a, only);
}

/** The values between two signed bounds, which may lie just outside of the width. */
function cutSigned(set: ValueSet, low: bigint, high: bigint): ValueSet {
  if (low <= minSigned(set) && maxSigned(set) <= high) return set;
  const size = maxOf(set.width) + 1n;
  const parts: SetPart[] = [];
  const half = size >> 1n;
  if (high >= 0n) pushAll(parts, cutSet(set, low > 0n ? low : 0n, high < half ? high : half - 1n).parts);
  if (low < 0n) pushAll(parts, cutSet(set, low + size, (high < 0n ? high : -1n) + size).parts);
  return { width: set.width, parts };
}

const lowest = (set: ValueSet) => -maxOf(set.width - 1) - 1n;
const highest = (set: ValueSet) => maxOf(set.width - 1);

/**
 * Arithmetic on value sets. Sums, products and quotients are taken part by part over the unbounded integers and then
 * cut to the width, so that wrapping needs no case of its own. Steps survive whatever keeps them: additions, and
 * multiplications, divisions and remainders by constants are exact.
 */

import {
  constantSet,
  countValues,
  emptySet,
  enumerateValues,
  hasValue,
  isEmpty,
  joinSets,
  setOfParts,
  setOfValues,
  signedParts,
  singleValue,
  type ValueSet,
  withoutValue,
} from './value-set.ts';
import {
  coarsenParts,
  countOf,
  gcd,
  isSingle,
  maxOf,
  mod,
  part,
  pushWrapped,
  type SetPart,
  stepOf,
} from './value-set-parts.ts';

/** Pairwise operations combine at most the square of this many parts. */
const MAX_COMBINED = 12;
/** Operations without a rule of their own try all pairs of values when there are at most so many. */
const MAX_ENUMERATED = 64;

/** Combines parts pairwise into progressions of unbounded integers, of coarser parts when there are too many pairs. */
function combine(
  width: number,
  left: readonly SetPart[],
  right: readonly SetPart[],
  combinePair: (p: SetPart, q: SetPart) => SetPart,
): ValueSet {
  const many = left.length * right.length > MAX_COMBINED * MAX_COMBINED;
  const [ps, qs] = many ? [coarsenParts(left, MAX_COMBINED), coarsenParts(right, MAX_COMBINED)] : [left, right];
  const parts: SetPart[] = [];
  for (const p of ps) {
    for (const q of qs) {
      const result = combinePair(p, q);
      pushWrapped(parts, width, result.low, result.high, result.step);
    }
  }
  return setOfParts(width, parts);
}

/** The exact result when both sides have few values, or null. */
export function enumerateBoth(
  width: number,
  a: ValueSet,
  b: ValueSet,
  operation: (x: bigint, y: bigint) => bigint,
): ValueSet | null {
  const countA = countValues(a);
  if (countA > MAX_ENUMERATED || countA * countValues(b) > MAX_ENUMERATED) return null;
  const [xs, ys] = [enumerateValues(a, MAX_ENUMERATED), enumerateValues(b, MAX_ENUMERATED)];
  if (!xs || !ys) return null;
  const values = new Set<bigint>();
  for (const x of xs) for (const y of ys) values.add(BigInt.asUintN(width, operation(x, y)));
  return setOfValues(width, values);
}

// ---------------------------------------------------------------- ring

export function addSets(a: ValueSet, b: ValueSet): ValueSet {
  return combine(a.width, a.parts, b.parts, addParts);
}

function addParts(p: SetPart, q: SetPart): SetPart {
  return { low: p.low + q.low, high: p.high + q.high, step: gcd(stepOf(p), stepOf(q)) || 1n };
}

export function negateSet(a: ValueSet): ValueSet {
  const parts: SetPart[] = [];
  for (let i = a.parts.length - 1; i >= 0; i--) {
    const p = a.parts[i] as SetPart;
    pushWrapped(parts, a.width, -p.high, -p.low, p.step);
  }
  return setOfParts(a.width, parts);
}

export function subtractSets(a: ValueSet, b: ValueSet): ValueSet {
  return combine(a.width, a.parts, b.parts, (p, q) => addParts(p, negatePart(q)));
}

function negatePart(p: SetPart): SetPart {
  return { low: -p.high, high: -p.low, step: p.step };
}

export function multiplySets(a: ValueSet, b: ValueSet): ValueSet {
  if (singleValue(a) === null && singleValue(b) === null) {
    const few = enumerateBoth(a.width, a, b, (x, y) => x * y);
    if (few) return few;
  }
  return combine(a.width, signedParts(a), signedParts(b), multiplyParts);
}

/** Both parts have values of one sign only, so that the extreme products are among those of the bounds. */
function multiplyParts(p: SetPart, q: SetPart): SetPart {
  const [a, b, c, d] = [p.low * q.low, p.low * q.high, p.high * q.low, p.high * q.high];
  const low = smaller(smaller(a, b), smaller(c, d));
  const high = larger(larger(a, b), larger(c, d));
  const [s, t] = [stepOf(p), stepOf(q)];
  return { low, high, step: gcd(gcd(p.low * t, q.low * s), s * t) || 1n };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

// ---------------------------------------------------------------- division

/** Division by zero gives all ones, as in SMT-LIB; a check stands before it. */
export function divideUnsignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const byZero = hasValue(b, 0n);
  const divisors = byZero ? withoutValue(b, 0n) : b;
  const quotients = combine(width, a.parts, divisors.parts, divideParts);
  return byZero ? joinSets(quotients, constantSet(width, maxOf(width))) : quotients;
}

/** The remainder by zero is the dividend. */
export function remainderUnsignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  const byZero = hasValue(b, 0n);
  const divisors = byZero ? withoutValue(b, 0n) : b;
  const remainders = combine(width, a.parts, singleDivisors(divisors.parts), remainderParts);
  return byZero ? joinSets(remainders, a) : remainders;
}

/** Division by zero gives -1, or 1 for a negative dividend. */
export function divideSignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  if (isEmpty(a) || isEmpty(b)) return emptySet(width);
  const byZero = hasValue(b, 0n);
  const dividends = signedParts(a);
  const divisors = signedParts(byZero ? withoutValue(b, 0n) : b);
  const quotients = combine(width, dividends, divisors, (p, q) => {
    const quotient = divideParts(magnitude(p), magnitude(q));
    return p.low < 0n === q.low < 0n ? quotient : negatePart(quotient);
  });
  if (!byZero) return quotients;
  const odd = new Set(dividends.map((p) => (p.low < 0n ? 1n : -1n)));
  return joinSets(quotients, setOfValues(width, odd));
}

/** The remainder has the sign of the dividend; that by zero is the dividend. */
export function remainderSignedSets(a: ValueSet, b: ValueSet): ValueSet {
  const { width } = a;
  const byZero = hasValue(b, 0n);
  const divisors = singleDivisors(signedParts(byZero ? withoutValue(b, 0n) : b));
  const remainders = combine(width, signedParts(a), divisors, (p, q) => {
    const remainder = remainderParts(magnitude(p), magnitude(q));
    return p.low < 0n ? negatePart(remainder) : remainder;
  });
  return byZero ? joinSets(remainders, a) : remainders;
}

/** So many divisors are looked at one by one: of a single one the remainders are known best. */
const MAX_DIVISORS = 8n;

function singleDivisors(parts: readonly SetPart[]): readonly SetPart[] {
  if (parts.every(isSingle) || parts.reduce((sum, p) => sum + countOf(p), 0n) > MAX_DIVISORS) return parts;
  const singles: SetPart[] = [];
  for (const p of parts) for (let v = p.low; v <= p.high; v += p.step) singles.push({ low: v, high: v, step: 1n });
  return singles;
}

const magnitude = (p: SetPart) => (p.low < 0n ? negatePart(p) : p);

/** Quotients of numbers that are not negative by positive ones. */
export function divideParts(p: SetPart, q: SetPart): SetPart {
  const isExact = isSingle(q) && p.step % q.low === 0n;
  return part(p.low / q.high, p.high / q.low, isExact ? p.step / q.low : 1n);
}

/** Remainders of numbers that are not negative by positive ones. */
export function remainderParts(p: SetPart, q: SetPart): SetPart {
  if (p.high < q.low) return p;
  if (!isSingle(q)) return part(0n, smaller(p.high, q.high - 1n), 1n);
  const divisor = q.low;
  const rounds = p.low / divisor;
  if (p.high / divisor === rounds) {
    return { low: p.low - rounds * divisor, high: p.high - rounds * divisor, step: p.step };
  }
  const kept = gcd(p.step, divisor);
  return part(mod(p.low, kept), divisor - 1n, kept);
}

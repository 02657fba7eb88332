/**
 * Every operation on value sets for all sets of small widths: at one and two bits all pairs of sets, at three bits
 * every so many of them. What value-set.test.ts samples at larger widths has no gaps here. LAZULI_STRIDE=1 takes all
 * pairs of sets of three bits.
 */

import { describe, expect, it } from 'vitest';
import { SET_OPERATIONS } from '../../test/support/set-operations.ts';
import { applyBinary, BINARY_OPERATIONS, compareValues } from '../../test/support/word-arithmetic.ts';
import { bitShape, bitsNeeded } from './bit-shape.ts';
import type { ValueSet } from './value-set.ts';
import * as sets from './value-set.ts';
import * as arithmetic from './value-set-arithmetic.ts';
import * as bits from './value-set-bits.ts';
import { type Comparison, compareSets, refineLeft, refineRight } from './value-set-comparisons.ts';
import { widenSets } from './widen-sets.ts';

/** A prime, so that all sets take part on both sides. */
const STRIDE = Number(process.env.LAZULI_STRIDE ?? 31);

/** A set of all subsets, and its values. */
interface Subset {
  readonly set: ValueSet;
  readonly values: readonly bigint[];
}

function subsetsOf(width: number): readonly Subset[] {
  const size = 1 << width;
  return Array.from({ length: 2 ** size }, (_, mask) => {
    const values = Array.from({ length: size }, (_, v) => v).filter((v) => (mask >> v) & 1);
    const big = values.map(BigInt);
    return { set: sets.setOfValues(width, big), values: big };
  });
}

/** Visits pairs of subsets of the same width. */
function forPairs(visit: (a: Subset, b: Subset, width: number) => void): void {
  for (const width of [1, 2, 3]) {
    const all = subsetsOf(width);
    const stride = width === 3 ? STRIDE : 1;
    for (let pair = 0; pair < all.length * all.length; pair += stride) {
      visit(all[pair % all.length] as Subset, all[Math.floor(pair / all.length)] as Subset, width);
    }
  }
}

const has = (set: ValueSet, value: bigint) => sets.hasValue(set, value);
const listed = (set: ValueSet) => sets.enumerateValues(set, 1 << set.width) as bigint[];

function expectAll(result: ValueSet, values: Iterable<bigint>, what: () => string): void {
  for (const value of values) if (!has(result, value)) expect.fail(`${value} is missing: ${what()}`);
}

const print = ({ values }: Subset) => `{${values.join(', ')}}`;

describe('all sets of few bits', () => {
  it.each(BINARY_OPERATIONS)('%s', (operation) => {
    forPairs((a, b, width) => {
      const result = SET_OPERATIONS[operation](a.set, b.set);
      const exact = a.values.flatMap((x) => b.values.map((y) => applyBinary(operation, width, x, y)));
      expectAll(result, exact, () => `${print(a)} ${operation} ${print(b)}`);
      if (exact.length === 0) expect(sets.isEmpty(result)).toBe(true);
    });
  });

  it('join, meet, widening, and questions about two sets', () => {
    forPairs((a, b) => {
      const common = a.values.filter((v) => b.values.includes(v));
      const what = () => `${print(a)} and ${print(b)}`;
      expectAll(sets.joinSets(a.set, b.set), [...a.values, ...b.values], what);
      expectAll(widenSets(a.set, sets.joinSets(a.set, b.set)), [...a.values, ...b.values], what);
      if (`${listed(sets.meetSets(a.set, b.set))}` !== `${common}`) expect.fail(`meet of ${what()}`);
      if (sets.areDisjoint(a.set, b.set) !== (common.length === 0)) expect.fail(`disjoint: ${what()}`);
      if (sets.isSubset(a.set, b.set) !== (common.length === a.values.length)) expect.fail(`subset: ${what()}`);
    });
  });

  it.each<Comparison>(['eq', 'ult', 'slt'])('%s', (comparison) => {
    forPairs((a, b, width) => {
      const decided = compareSets(comparison, a.set, b.set);
      const kept = [true, false].map((truth) => [
        refineLeft(comparison, truth, a.set, b.set),
        refineRight(comparison, truth, a.set, b.set),
      ]);
      for (const x of a.values) {
        for (const y of b.values) {
          const truth = compareValues(comparison, width, x, y);
          const [left, right] = kept[truth ? 0 : 1] as [ValueSet, ValueSet];
          const isRight = (decided ?? truth) === truth && has(left, x) && has(right, y);
          if (!isRight) expect.fail(`${x} ${comparison} ${y} in ${print(a)}, ${print(b)}`);
        }
      }
    });
  });

  it('operations on one set', () => {
    for (const width of [1, 2, 3]) {
      for (const one of subsetsOf(width)) {
        const { set, values } = one;
        const what = () => print(one);
        const signed = (v: bigint) => BigInt.asIntN(width, v);
        const wrapped = (v: bigint, to = width) => BigInt.asUintN(to, v);
        expectAll(
          arithmetic.negateSet(set),
          values.map((v) => wrapped(-v)),
          what,
        );
        expectAll(
          bits.notSet(set),
          values.map((v) => wrapped(~v)),
          what,
        );
        expectAll(bits.zeroExtendSet(set, 5), values, what);
        expectAll(
          bits.signExtendSet(set, 5),
          values.map((v) => wrapped(signed(v), 5)),
          what,
        );
        for (let low = 0; low < width; low++) {
          for (let kept = 1; kept <= width - low; kept++) {
            expectAll(
              bits.extractSet(set, low, kept),
              values.map((v) => wrapped(v >> BigInt(low), kept)),
              what,
            );
          }
        }
        for (let v = 0n; v < 1n << BigInt(width); v++) {
          expectAll(
            sets.withoutValue(set, v),
            values.filter((other) => other !== v),
            what,
          );
          if (has(sets.withoutValue(set, v), v)) expect.fail(`${v} is left in ${what()}`);
          for (let high = v; high < 1n << BigInt(width); high++) {
            expect(listed(sets.cutSet(set, v, high))).toEqual(values.filter((other) => other >= v && other <= high));
          }
        }
        expect(listed(set)).toEqual(values);
        if (values.length === 0) continue;
        const inOrder = values.map(signed).sort((x, y) => (x < y ? -1 : 1));
        expect([sets.minSigned(set), sets.maxSigned(set)]).toEqual([inOrder[0], inOrder.at(-1)]);
        const { known, value } = bitShape(set);
        expect(values.every((v) => (v & known) === value)).toBe(true);
        expect(BigInt(values.length) <= 1n << BigInt(bitsNeeded(set))).toBe(true);
      }
    }
  });

  it('two sets side by side', () => {
    for (const high of subsetsOf(2)) {
      for (const low of subsetsOf(2)) {
        const pairs = high.values.flatMap((x) => low.values.map((y) => (x << 2n) | y));
        expectAll(bits.concatSets(high.set, low.set), pairs, () => `${print(high)}, ${print(low)}`);
      }
    }
  });
});

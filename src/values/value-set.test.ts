/**
 * Every operation on value sets against brute force: at widths up to 6 all values of random sets, at larger widths
 * sampled ones. A result may have too many values, never too few; bounds, membership and meets of few parts are exact.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SET_OPERATIONS } from '../../test/support/set-operations.ts';
import { applyBinary, BINARY_OPERATIONS, compareValues } from '../../test/support/word-arithmetic.ts';
import { bitShape, bitsNeeded } from './bit-shape.ts';
import type { ValueSet } from './value-set.ts';
import * as sets from './value-set.ts';
import * as arithmetic from './value-set-arithmetic.ts';
import * as bits from './value-set-bits.ts';
import { type Comparison, compareSets, refineLeft, refineRight } from './value-set-comparisons.ts';
import { MAX_PARTS, type SetPart } from './value-set-parts.ts';
import { widenSets } from './widen-sets.ts';

const SEED = 20240229;
const run = (numRuns: number) => ({ seed: SEED, numRuns });

/** A set together with values of it: all of them at small widths, some of them at large ones. */
interface Sample {
  readonly set: ValueSet;
  readonly values: readonly bigint[];
}

function sample(width: number): fc.Arbitrary<Sample> {
  return width <= 6 ? smallSample(width) : largeSample(width);
}

/** Any set of numbers, so that normalisation has to find the parts. */
function smallSample(width: number): fc.Arbitrary<Sample> {
  const value = fc.bigInt(0n, (1n << BigInt(width)) - 1n);
  const any = fc.uniqueArray(value, { maxLength: 12 }).map((values) => sets.setOfValues(width, values));
  const range = fc
    .tuple(value, value, fc.bigInt(1n, 5n))
    .map(([a, b, step]) => sets.rangeSet(width, a < b ? a : b, a < b ? b : a, step));
  const both = fc.tuple(any, range).map(([a, b]) => sets.joinSets(a, b));
  return fc.oneof(any, range, both).map((set) => ({ set, values: valuesOf(set) }));
}

function largeSample(width: number): fc.Arbitrary<Sample> {
  const max = (1n << BigInt(width)) - 1n;
  const anchor = fc.oneof(
    fc.bigInt(0n, max),
    fc.bigInt(0n, 300n),
    fc.bigInt(-300n, -1n).map((v) => BigInt.asUintN(width, v)),
    fc.bigInt(-40n, 40n).map((v) => BigInt.asUintN(width, (1n << BigInt(width - 1)) + v)),
  );
  const progression = fc
    .tuple(anchor, fc.bigInt(0n, 40n), fc.oneof(fc.bigInt(1n, 16n), fc.bigInt(1n, 0x10000n)))
    .map(([low, count, step]) => sets.signedRangeSet(width, low, low + count * step, step));
  return fc
    .tuple(fc.array(progression, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(), { minLength: 6, maxLength: 6 }))
    .map(([progressions, picks]) => {
      const set = progressions.reduce(sets.joinSets);
      return { set, values: pickValues(set, picks) };
    });
}

function pickValues(set: ValueSet, picks: readonly number[]): bigint[] {
  const values = [sets.minUnsigned(set), sets.maxUnsigned(set)];
  for (const pick of picks) {
    const p = set.parts[pick % set.parts.length] as SetPart;
    const count = (p.high - p.low) / p.step + 1n;
    values.push(p.low + (BigInt(pick >> 3) % count) * p.step);
  }
  return values;
}

function valuesOf(set: ValueSet): bigint[] {
  const all: bigint[] = [];
  for (let v = 0n; v < 1n << BigInt(set.width); v++) if (sets.hasValue(set, v)) all.push(v);
  return all;
}

const widths = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.constantFrom(8, 16, 32, 64));
const one = widths.chain((width) => sample(width));
const two = widths.chain((width) => fc.tuple(sample(width), sample(width)));

function expectWellFormed(set: ValueSet): void {
  expect(set.parts.length).toBeLessThanOrEqual(MAX_PARTS);
  let before = -1n;
  for (const p of set.parts) {
    expect(p.low > before && p.low <= p.high && p.step >= 1n).toBe(true);
    expect((p.high - p.low) % p.step).toBe(0n);
    if (p.low === p.high) expect(p.step).toBe(1n);
    before = p.high;
  }
  expect(before < 1n << BigInt(set.width)).toBe(true);
}

function expectHas(set: ValueSet, value: bigint, what: () => string): void {
  if (!sets.hasValue(set, value)) expect.fail(`${value} is missing in ${print(set)}: ${what()}`);
}

const print = (set: ValueSet) => `${set.width}:[${set.parts.map((p) => `${p.low}..${p.high}/${p.step}`).join(', ')}]`;

describe('operations contain all results', () => {
  const amounts = fc.bigInt(0n, 70n);
  it.each(BINARY_OPERATIONS)('%s', (operation) => {
    const check = (a: Sample, b: Sample) => {
      const result = SET_OPERATIONS[operation](a.set, b.set);
      expectWellFormed(result);
      for (const x of a.values) {
        for (const y of b.values) {
          const z = applyBinary(operation, a.set.width, x, y);
          expectHas(result, z, () => `${x} ${operation} ${y}, ${print(a.set)} ${operation} ${print(b.set)}`);
        }
      }
    };
    fc.assert(
      fc.property(two, ([a, b]) => check(a, b)),
      run(400),
    );
    fc.assert(
      fc.property(one, amounts, (a, amount) => {
        const set = sets.constantSet(a.set.width, amount);
        check(a, { set, values: [sets.minUnsigned(set)] });
      }),
      run(300),
    );
  });

  it('empty sets give empty sets', () => {
    for (const operation of BINARY_OPERATIONS) {
      expect(sets.isEmpty(SET_OPERATIONS[operation](sets.emptySet(8), sets.topSet(8)))).toBe(true);
      expect(sets.isEmpty(SET_OPERATIONS[operation](sets.topSet(8), sets.emptySet(8)))).toBe(true);
    }
  });

  it('negate and not', () => {
    fc.assert(
      fc.property(one, ({ set, values }) => {
        for (const result of [arithmetic.negateSet(set), bits.notSet(set)]) expectWellFormed(result);
        for (const v of values) {
          expectHas(arithmetic.negateSet(set), BigInt.asUintN(set.width, -v), () => `-${v}`);
          expectHas(bits.notSet(set), BigInt.asUintN(set.width, ~v), () => `~${v}`);
        }
      }),
      run(400),
    );
  });

  it('changes of width', () => {
    fc.assert(
      fc.property(two, fc.nat(), fc.nat(), ([a, b], x, y) => {
        const { width } = a.set;
        const low = x % width;
        const kept = 1 + (y % (width - low));
        const results = {
          zero: bits.zeroExtendSet(a.set, width + 3),
          sign: bits.signExtendSet(a.set, width + 3),
          part: bits.extractSet(a.set, low, kept),
          concat: bits.concatSets(a.set, b.set),
        };
        for (const result of Object.values(results)) expectWellFormed(result);
        for (const v of a.values) {
          expectHas(results.zero, v, () => `zext ${v}`);
          expectHas(results.sign, BigInt.asUintN(width + 3, BigInt.asIntN(width, v)), () => `sext ${v}`);
          expectHas(results.part, BigInt.asUintN(kept, v >> BigInt(low)), () => `extract ${v} ${low} ${kept}`);
          for (const w of b.values) expectHas(results.concat, (v << BigInt(width)) | w, () => `${v} concat ${w}`);
        }
      }),
      run(400),
    );
  });
});

describe('the lattice', () => {
  it('join and widening contain both, meet what is common', () => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        const [join, meet, widened] = [sets.joinSets, sets.meetSets, widenSets].map((f) => f(a.set, b.set));
        for (const set of [join, meet, widened]) expectWellFormed(set as ValueSet);
        for (const v of [...a.values, ...b.values]) {
          expectHas(join as ValueSet, v, () => `join of ${print(a.set)} and ${print(b.set)}`);
          expectHas(widened as ValueSet, v, () => `widening of ${print(a.set)} and ${print(b.set)}`);
          const common = sets.hasValue(a.set, v) && sets.hasValue(b.set, v);
          if (common) expectHas(meet as ValueSet, v, () => `meet of ${print(a.set)} and ${print(b.set)}`);
        }
      }),
      run(500),
    );
  });

  it('meet, subset, equality and disjointness are exact at small widths', () => {
    const small = fc.integer({ min: 1, max: 6 }).chain((width) => fc.tuple(sample(width), sample(width)));
    fc.assert(
      fc.property(small, ([a, b]) => {
        const common = a.values.filter((v) => b.values.includes(v));
        const meet = sets.meetSets(a.set, b.set);
        expect(valuesOf(meet)).toEqual(common);
        expect(sets.countValues(a.set)).toBe(BigInt(a.values.length));
        expect(sets.areDisjoint(a.set, b.set)).toBe(common.length === 0);
        expect(sets.isSubset(a.set, b.set)).toBe(common.length === a.values.length);
        expect(sets.isSubset(meet, a.set)).toBe(true);
        const same = common.length === a.values.length && common.length === b.values.length;
        expect(sets.sameSet(a.set, b.set)).toBe(same);
        expect(sets.sameSet(sets.joinSets(a.set, b.set), sets.joinSets(b.set, a.set))).toBe(true);
      }),
      run(500),
    );
  });

  it('repeated widening ends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(8, 32, 64),
        fc.bigInt(-70000n, 70000n),
        fc.bigInt(0n, 0x40000n),
        (width, by, start) => {
          let set = sets.setOfValues(width, [0n, start]);
          for (let round = 0; round < 60; round++) {
            const next = widenSets(set, arithmetic.addSets(set, sets.constantSet(width, by)));
            if (next === set) return;
            set = next;
          }
          expect.fail(`still growing: ${print(set)}`);
        },
      ),
      run(300),
    );
  });

  it('widening keeps steps, and pointers inside their objects', () => {
    const counter = widenSets(sets.constantSet(32, 0n), sets.setOfValues(32, [0n, 4n]));
    expect(print(counter)).toBe('32:[0..12/4]');
    const pointer = widenSets(sets.setOfValues(64, [0n, 0x20000n]), sets.setOfValues(64, [0n, 0x2000cn]));
    expect(sets.minUnsigned(pointer)).toBe(0n);
    expect(sets.maxUnsigned(pointer)).toBe(0x2fffcn);
    expect(sets.hasValue(pointer, 0x10000n)).toBe(false);
  });

  it('merges inside of objects before it merges across them', () => {
    const offsets = Array.from({ length: 40 }, (_, i) => 0x30000n + BigInt(i * i * 100));
    const pointer = sets.setOfValues(64, [0x20000n, 0x2fff8n, ...offsets]);
    expect(pointer.parts.length).toBe(MAX_PARTS);
    expect(sets.hasValue(pointer, 0x2fffcn)).toBe(false);
    expect(sets.cutSet(pointer, 0x20001n, 0x2fff7n).parts).toEqual([]);
  });
});

describe('questions', () => {
  it('bounds are exact', () => {
    fc.assert(
      fc.property(one, ({ set, values }) => {
        if (values.length === 0) return;
        const signed = values.map((v) => BigInt.asIntN(set.width, v));
        const [low, high] = [sets.minSigned(set), sets.maxSigned(set)];
        for (const v of signed) expect(v >= low && v <= high).toBe(true);
        for (const v of values) expect(v >= sets.minUnsigned(set) && v <= sets.maxUnsigned(set)).toBe(true);
        for (const bound of [low, high, sets.minUnsigned(set), sets.maxUnsigned(set)]) {
          expectHas(set, BigInt.asUintN(set.width, bound), () => 'a bound');
        }
      }),
      run(600),
    );
  });

  it('shapes agree with all values', () => {
    fc.assert(
      fc.property(one, ({ set, values }) => {
        const { width } = set;
        const shape = bitShape(set);
        for (const v of values) {
          expect(v & shape.known).toBe(shape.value);
          expect(BigInt.asUintN(width, BigInt.asIntN(shape.extent, v))).toBe(v);
        }
        expect(sets.countValues(set) <= 1n << BigInt(bitsNeeded(set))).toBe(true);
      }),
      run(600),
    );
  });

  it('prints', () => {
    expect(sets.printSet(sets.setOfValues(8, [5n, 0n, -1n]), true)).toBe('{-1, 0, 5}');
    expect(sets.printSet(sets.signedRangeSet(8, -3n, 9n), true)).toBe('-3 … 9');
    expect(sets.printSet(sets.rangeSet(8, 0n, 96n, 4n), false)).toBe('0 … 96 step 4');
    expect(sets.printSet(sets.emptySet(8), false)).toBe('none');
  });
});

describe('conditions', () => {
  const comparisons: readonly Comparison[] = ['eq', 'ult', 'slt'];
  it.each(comparisons)('%s: decisions are right and refinements keep what can be', (comparison) => {
    fc.assert(
      fc.property(two, ([a, b]) => {
        const decided = compareSets(comparison, a.set, b.set);
        const kept = [true, false].map((truth) => ({
          left: refineLeft(comparison, truth, a.set, b.set),
          right: refineRight(comparison, truth, a.set, b.set),
        }));
        for (const { left, right } of kept) {
          expectWellFormed(left);
          expectWellFormed(right);
          expect(sets.isSubset(left, a.set) && sets.isSubset(right, b.set)).toBe(true);
        }
        for (const x of a.values) {
          for (const y of b.values) {
            const truth = compareValues(comparison, a.set.width, x, y);
            if (decided !== null) expect(truth).toBe(decided);
            const side = kept[truth ? 0 : 1] as (typeof kept)[number];
            expectHas(side.left, x, () => `left of ${comparison} ${truth}`);
            expectHas(side.right, y, () => `right of ${comparison} ${truth}`);
          }
        }
      }),
      run(500),
    );
  });
});

describe('precision', () => {
  const counter = sets.rangeSet(32, 0n, 5n);
  const constant = (v: bigint) => sets.constantSet(32, v);
  const cases: readonly [string, ValueSet, string][] = [
    ['x + 3', arithmetic.addSets(counter, constant(3n)), '3..8/1'],
    ['x - 2', arithmetic.subtractSets(counter, constant(2n)), '0..3/1, 4294967294..4294967295/1'],
    ['x - y', arithmetic.subtractSets(counter, counter), '0..5/1, 4294967291..4294967295/1'],
    ['x * 12', arithmetic.multiplySets(counter, constant(12n)), '0..60/12'],
    ['x * -4', arithmetic.multiplySets(sets.rangeSet(32, 1n, 90n), constant(-4n)), '4294966936..4294967292/4'],
    ['x * 12 / 4', arithmetic.divideUnsignedSets(sets.rangeSet(32, 0n, 1200n, 12n), constant(4n)), '0..300/3'],
    ['x % 8', arithmetic.remainderUnsignedSets(sets.topSet(32), constant(8n)), '0..7/1'],
    ['4x % 12', arithmetic.remainderSignedSets(sets.rangeSet(32, 0n, 4000n, 4n), constant(12n)), '0..8/4'],
    ['x % -8', arithmetic.remainderSignedSets(sets.topSet(32), constant(-8n)), '0..7/1, 4294967289..4294967295/1'],
    ['x & 7', bits.andSets(sets.topSet(32), constant(7n)), '0..7/1'],
    ['x & ~1', bits.andSets(sets.rangeSet(32, 3n, 90n), constant(~1n)), '2..90/2'],
    ['x & 0x30', bits.andSets(sets.topSet(32), constant(0x30n)), '0..48/16'],
    ['x & 9', bits.andSets(sets.topSet(32), constant(9n)), '0..1/1, 8..9/1'],
    ['4x | 1', bits.orSets(sets.rangeSet(32, 0n, 400n, 4n), constant(1n)), '1..401/4'],
    ['4x ^ 3', bits.xorSets(sets.rangeSet(32, 0n, 400n, 4n), constant(3n)), '3..403/4'],
    ['x << 3', bits.shiftLeftSets(sets.rangeSet(32, 0n, 100n), constant(3n)), '0..800/8'],
    ['12x >> 2', bits.shiftRightLogicalSets(sets.rangeSet(32, 0n, 1200n, 12n), constant(2n)), '0..300/3'],
    [
      'x >> 1, negative',
      bits.shiftRightArithmeticSets(sets.signedRangeSet(32, -100n, -1n), constant(1n)),
      '4294967246..4294967295/1',
    ],
    [
      'NULL or two objects',
      sets.joinSets(constant(0n), sets.setOfValues(32, [0x20000n, 0x30000n])),
      '0..0/1, 131072..131072/1, 196608..196608/1',
    ],
    [
      'a value amid a progression',
      sets.joinSets(sets.rangeSet(32, 0n, 20n, 4n), constant(5n)),
      '0..4/4, 5..5/1, 8..20/4',
    ],
    ['x != 4', refineLeft('eq', false, counter, constant(4n)), '0..3/1, 5..5/1'],
    ['x > 2', refineRight('slt', true, constant(2n), counter), '3..5/1'],
  ];
  it.each(cases)('%s', (_, set, expected) => {
    expect(print(set)).toBe(`32:[${expected}]`);
  });

  it('tells signs, amounts of shifts and divisors apart', () => {
    const signed = (low: bigint, high: bigint) => sets.signedRangeSet(32, low, high);
    const either = bits.orSets(signed(-4n, 160n), signed(-12n, 90n));
    expect([sets.minSigned(either), sets.maxSigned(either)]).toEqual([-12n, 250n]);
    expect(sets.maxSigned(bits.xorSets(signed(-9n, 100n), signed(-3n, 60n)))).toBeLessThan(128n);
    expect(sets.countValues(bits.shiftLeftSets(constant(1n), sets.rangeSet(32, 0n, 15n)))).toBe(16n);
    const remainders = arithmetic.remainderUnsignedSets(sets.topSet(32), sets.setOfValues(32, [4n, 8n]));
    expect(sets.maxUnsigned(remainders)).toBe(7n);
    expect(sets.countValues(arithmetic.remainderSignedSets(constant(64n), sets.rangeSet(32, 50n, 56n, 2n)))).toBe(4n);
  });
});

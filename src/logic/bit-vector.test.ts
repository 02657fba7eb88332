import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as bv from './bit-vector.ts';
import * as arithmetic from './bit-vector-arithmetic.ts';
import { Circuit } from './circuit.ts';
import { evaluate } from './evaluate.ts';
import type { Literal } from './literal.ts';

type Builder = (circuit: Circuit, a: bv.BitVector, b: bv.BitVector) => bv.BitVector;
type Reference = (a: bigint, b: bigint, width: number) => bigint;

const signed = (value: bigint, width: number) => BigInt.asIntN(width, value);
const flag = (value: boolean) => (value ? 1n : 0n);
const allOnes = (width: number) => (1n << BigInt(width)) - 1n;
const ones = (value: bigint) => BigInt([...value.toString(2)].filter((digit) => digit === '1').length);
const bit =
  (predicate: (circuit: Circuit, a: bv.BitVector, b: bv.BitVector) => Literal): Builder =>
  (circuit, a, b) => [predicate(circuit, a, b)];

const sdivReference: Reference = (a, b, w) => {
  if (b === 0n) return signed(a, w) < 0n ? 1n : -1n;
  return signed(a, w) / signed(b, w);
};

/**
 * Each operation, and what it must compute on unsigned numbers of a width (the result is taken modulo the result's
 * width).
 */
const operations: Record<string, [Builder, Reference]> = {
  add: [arithmetic.add, (a, b) => a + b],
  sub: [arithmetic.sub, (a, b) => a - b],
  neg: [(c, a) => arithmetic.neg(c, a), (a) => -a],
  abs: [(c, a) => arithmetic.abs(c, a), (a, _, w) => (signed(a, w) < 0n ? -a : a)],
  mul: [arithmetic.mul, (a, b) => a * b],
  udiv: [arithmetic.udiv, (a, b, w) => (b === 0n ? allOnes(w) : a / b)],
  urem: [arithmetic.urem, (a, b) => (b === 0n ? a : a % b)],
  sdiv: [arithmetic.sdiv, sdivReference],
  srem: [arithmetic.srem, (a, b, w) => (b === 0n ? a : signed(a, w) % signed(b, w))],
  and: [bv.bitAnd, (a, b) => a & b],
  or: [bv.bitOr, (a, b) => a | b],
  xor: [bv.bitXor, (a, b) => a ^ b],
  not: [(_, a) => bv.bitNot(a), (a) => ~a],
  shl: [bv.shl, (a, b, w) => (b >= BigInt(w) ? 0n : a << b)],
  lshr: [bv.lshr, (a, b, w) => (b >= BigInt(w) ? 0n : a >> b)],
  ashr: [bv.ashr, (a, b, w) => signed(a, w) >> (b >= BigInt(w) ? BigInt(w) : b)],
  eq: [bit(bv.eq), (a, b) => flag(a === b)],
  ult: [bit(bv.ult), (a, b) => flag(a < b)],
  ule: [bit(bv.ule), (a, b) => flag(a <= b)],
  slt: [bit(bv.slt), (a, b, w) => flag(signed(a, w) < signed(b, w))],
  sle: [bit(bv.sle), (a, b, w) => flag(signed(a, w) <= signed(b, w))],
  isZero: [bit((c, a) => bv.isZero(c, a)), (a) => flag(a === 0n)],
  ite: [(c, a, b) => bv.ite(c, bv.bitAt(a, 0), a, b), (a, b) => (a & 1n ? a : b)],
  mask: [(c, a, b) => bv.mask(c, bv.bitAt(a, 0), b), (a, b) => (a & 1n ? b : 0n)],
  zeroExtend: [(_, a) => bv.zeroExtend(a, a.length + 5), (a) => a],
  signExtend: [(_, a) => bv.signExtend(a, a.length + 5), (a, _, w) => signed(a, w)],
  extract: [(_, a) => bv.extract(a, a.length >> 1, a.length - (a.length >> 1)), (a, _, w) => a >> BigInt(w >> 1)],
  concat: [(_, a, b) => bv.concat(a, b), (a, b, w) => a | (b << BigInt(w))],
  shlConstant: [(_, a) => bv.shlConstant(a, 3), (a) => a << 3n],
  lshrConstant: [(_, a) => bv.lshrConstant(a, 3), (a) => a >> 3n],
  popcount: [(c, a) => arithmetic.popcount(c, a), (a) => ones(a)],
};

/** Numbers near the ends of the range and near powers of two as well as uniform ones. */
const operand = (width: number) =>
  fc
    .oneof(
      fc.bigInt({ min: 0n, max: allOnes(width) }),
      fc.bigInt({ min: -3n, max: 3n }),
      fc
        .tuple(fc.integer({ min: 0, max: width }), fc.integer({ min: -1, max: 1 }))
        .map(([k, d]) => (1n << BigInt(k)) + BigInt(d)),
    )
    .map((value) => BigInt.asUintN(width, value));

const sample = fc
  .integer({ min: 1, max: 70 })
  .chain((width) => fc.tuple(fc.constant(width), operand(width), operand(width), operand(width)));

describe('bit-vectors against BigInt', () => {
  for (const [name, [build, reference]] of Object.entries(operations)) {
    it(name, () => {
      fc.assert(
        fc.property(sample, ([width, a, b, freeMask]) => {
          const folded = build(new Circuit(), bv.constant(a, width), bv.constant(b, width));
          const expected = BigInt.asUintN(folded.length, reference(a, b, width));
          expect(bv.constantValue(folded)).toBe(expected);
          expect(throughInputs(build, a, b, width, allOnes(width))).toBe(expected);
          expect(throughInputs(build, a, b, width, freeMask)).toBe(expected);
        }),
        { seed: 1, numRuns: 60 },
      );
    });
  }

  it('agrees on all pairs of small widths', () => {
    for (const [name, [build, reference]] of Object.entries(operations)) {
      for (const width of [1, 2, 3]) {
        const circuit = new Circuit();
        const [left, right] = [bv.fresh(circuit, width), bv.fresh(circuit, width)];
        const result = build(circuit, left, right);
        for (let pair = 0n; pair < 1n << BigInt(2 * width); pair++) {
          const [a, b] = [pair & allOnes(width), pair >> BigInt(width)];
          const values = evaluate(circuit, inputs([left, a], [right, b]));
          const expected = BigInt.asUintN(result.length, reference(a, b, width));
          expect(values.unsigned(result), `${name} ${a} ${b} in ${width} bits`).toBe(expected);
        }
      }
    }
  });
});

/** Builds with the masked bits free and the others constant, and evaluates with the free bits set right. */
function throughInputs(build: Builder, a: bigint, b: bigint, width: number, freeMask: bigint): bigint {
  const circuit = new Circuit();
  const mixed = (value: bigint) =>
    bv.constant(value, width).map((bit, i) => ((freeMask >> BigInt(i)) & 1n ? circuit.fresh() : bit));
  const [left, right] = [mixed(a), mixed(b)];
  const result = build(circuit, left, right);
  return evaluate(circuit, inputs([left, a], [right, b])).unsigned(result);
}

function inputs(...assigned: readonly (readonly [bv.BitVector, bigint])[]): (variable: number) => boolean {
  const values = new Map<number, boolean>();
  for (const [bits, value] of assigned) {
    bits.forEach((bit, i) => {
      values.set(bit, ((value >> BigInt(i)) & 1n) === 1n);
    });
  }
  return (variable) => values.get(variable) ?? false;
}

describe('sizes', () => {
  const gates = (build: (circuit: Circuit, x: bv.BitVector) => unknown): number => {
    const circuit = new Circuit();
    build(circuit, bv.fresh(circuit, 32));
    return circuit.gateCount;
  };

  it('multiplying by a constant is cheap', () => {
    expect(gates((c, x) => arithmetic.mul(c, x, bv.constant(8n, 32)))).toBe(0);
    expect(gates((c, x) => arithmetic.mul(c, x, bv.constant(15n, 32)))).toBeLessThan(160);
  });

  it('division by a power of two is free', () => {
    expect(gates((c, x) => arithmetic.udivrem(c, x, bv.constant(64n, 32)))).toBe(0);
  });

  it('comparison with a constant has at most one gate a bit', () => {
    expect(gates((c, x) => bv.ult(c, x, bv.constant(16n, 32)))).toBeLessThan(32);
    expect(gates((c, x) => bv.eq(c, x, bv.constant(46368n, 32)))).toBe(31);
  });

  it('a sum has two gates a bit', () => {
    expect(gates((c, x) => arithmetic.add(c, x, bv.fresh(c, 32)))).toBeLessThanOrEqual(64);
  });
});

/**
 * Floating-point terms three ways: folded from constants, encoded as circuits, and computed by JavaScript or by hand.
 * Patterns are the special ones, small integers and random bits.
 */

import { describe, expect, it } from 'vitest';
import { Circuit } from '../logic/circuit.ts';
import { evaluate } from '../logic/evaluate.ts';
import { createRandom, type Random } from '../support/random.ts';
import { floatFromBits, floatToBits } from '../values/float-constants.ts';
import * as floats from '../values/float-terms.ts';
import { type Term, TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { TermEncoder } from './encode-terms.ts';

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  Infinity,
  -Infinity,
  NaN,
  1e-45,
  5e-324,
  3.4e38,
  1.7e308,
  2 ** 31,
  2 ** 63,
];
const ROUNDS = 60;

type Build = (graph: TermGraph, a: Term, b: Term) => Term;

/** Computes a term that is built over two variables, by its circuit. */
function encode(build: Build, width: number): (a: bigint, b: bigint) => bigint {
  const graph = new TermGraph();
  const variables = [graph.variable(sets.topSet(width), 'a'), graph.variable(sets.topSet(width), 'b')] as const;
  const encoder = new TermEncoder(graph, new Circuit());
  const inputs = variables.map((variable) => encoder.bitsOf(variable));
  const bits = encoder.bitsOf(build(graph, ...variables));
  return (...values) => {
    const truths = new Map<number, boolean>();
    for (const [i, literals] of inputs.entries()) {
      for (const [bit, literal] of literals.entries())
        truths.set(literal, (((values[i] as bigint) >> BigInt(bit)) & 1n) === 1n);
    }
    return evaluate(encoder.circuit, (variable) => truths.get(variable) ?? false).unsigned(bits);
  };
}

function fold(build: Build, width: number, a: bigint, b: bigint): bigint | null {
  const graph = new TermGraph();
  return graph.constantOf(build(graph, graph.constant(width, a), graph.constant(width, b)));
}

function randomFloat(random: Random, width: number): bigint {
  switch (random.below(3)) {
    case 0:
      return floatToBits(random.pick(SPECIAL), width);
    case 1:
      return floatToBits((random.below(2001) - 1000) / (1 + random.below(8)), width);
    default: {
      const bits = (BigInt(random.word()) << 32n) | BigInt(random.word());
      return floatToBits(floatFromBits(BigInt.asUintN(width, bits), width), width);
    }
  }
}

const ARITHMETIC: Record<string, { build: Build; of: (a: number, b: number) => number }> = {
  sum: { build: (graph, a, b) => floats.floatArithmetic(graph, 'fadd', a, b), of: (a, b) => a + b },
  difference: { build: (graph, a, b) => floats.floatDifference(graph, a, b), of: (a, b) => a - b },
  'difference with itself': { build: (graph, a) => floats.floatDifference(graph, a, a), of: (a) => a - a },
  product: { build: (graph, a, b) => floats.floatArithmetic(graph, 'fmul', a, b), of: (a, b) => a * b },
  quotient: { build: (graph, a, b) => floats.floatArithmetic(graph, 'fdiv', a, b), of: (a, b) => a / b },
  negation: { build: (graph, a) => floats.floatNegation(graph, a), of: (a) => -a },
};

const COMPARISONS: Record<string, { build: Build; of: (a: number, b: number) => boolean }> = {
  '==': { build: (graph, a, b) => floats.floatComparison(graph, 'feq', a, b), of: (a, b) => a === b },
  '<': { build: (graph, a, b) => floats.floatComparison(graph, 'flt', a, b), of: (a, b) => a < b },
  '<=': { build: (graph, a, b) => floats.floatComparison(graph, 'fle', a, b), of: (a, b) => a <= b },
  truth: { build: (graph, a) => floats.isFloatTrue(graph, a), of: (a) => a !== 0 },
};

describe.each([32, 64])('floating-point terms of %i bits', (width) => {
  const each = (seed: number, action: (a: bigint, b: bigint) => void) => {
    const random = createRandom(seed);
    for (let i = 0; i < ROUNDS; i++) action(randomFloat(random, width), randomFloat(random, width));
  };

  it.each(Object.keys(ARITHMETIC))('%s', (name) => {
    const { build, of } = ARITHMETIC[name] as (typeof ARITHMETIC)[string];
    const compute = encode(build, width);
    each(1, (a, b) => {
      const expected = floatToBits(of(floatFromBits(a, width), floatFromBits(b, width)), width);
      expect([a, b, compute(a, b)]).toEqual([a, b, expected]);
      expect([a, b, fold(build, width, a, b)]).toEqual([a, b, expected]);
    });
  });

  it.each(Object.keys(COMPARISONS))('%s', (name) => {
    const { build, of } = COMPARISONS[name] as (typeof COMPARISONS)[string];
    const compute = encode(build, width);
    each(2, (a, b) => {
      const expected = of(floatFromBits(a, width), floatFromBits(b, width)) ? 1n : 0n;
      expect([a, b, compute(a, b)]).toEqual([a, b, expected]);
      expect([a, b, fold(build, width, a, b)]).toEqual([a, b, expected]);
    });
  });

  it('conversion to the other format', () => {
    const build: Build = (graph, a) => floats.floatToFloat(graph, a, 96 - width);
    const compute = encode(build, width);
    each(3, (a) => {
      const expected = floatToBits(floatFromBits(a, width), 96 - width);
      expect([a, compute(a, 0n)]).toEqual([a, expected]);
      expect([a, fold(build, width, a, 0n)]).toEqual([a, expected]);
    });
  });

  it.each([
    { bits: 8, signed: true },
    { bits: 32, signed: true },
    { bits: 32, signed: false },
    { bits: 64, signed: true },
    { bits: 64, signed: false },
  ])('conversion to integers of $bits bits, signed: $signed', ({ bits, signed }) => {
    const build: Build = (graph, a) => floats.floatToInteger(graph, a, signed, bits);
    const compute = encode(build, width);
    const working = floats.workingWidth(signed, bits);
    each(4, (a) => {
      const value = Math.trunc(floatFromBits(a, width));
      const fits = Math.abs(value) < 2 ** (working - 1);
      const expected = BigInt.asUintN(bits, fits ? BigInt(value) : 1n << BigInt(working - 1));
      expect([a, compute(a, 0n)]).toEqual([a, expected]);
      expect([a, fold(build, width, a, 0n)]).toEqual([a, expected]);
    });
  });

  it.each([true, false])('conversion of integers, signed: %s, rounded once', (signed) => {
    const build: Build = (graph, a) => floats.integerTermToFloat(graph, a, signed, width);
    const compute = encode(build, 64);
    const random = createRandom(5);
    for (let i = 0; i < ROUNDS; i++) {
      const pattern = ((BigInt(random.word()) << 32n) | BigInt(random.word())) >> BigInt(random.below(64));
      const value = signed ? BigInt.asIntN(64, pattern) : pattern;
      const folded = fold(build, 64, pattern, 0n);
      expect([value, folded]).toEqual([value, nearest(value, width)]);
      expect([value, compute(pattern, 0n)]).toEqual([value, folded]);
    }
  });
});

/**
 * The nearest float of an integer: of the two candidates around it the nearer one, of two equally near ones the even
 * one.
 */
function nearest(value: bigint, width: number): bigint {
  if (width === 64) return floatToBits(Number(value), 64);
  const magnitude = value < 0n ? -value : value;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const [whole, rest] = [magnitude >> excess, magnitude & ((1n << excess) - 1n)];
  const half = excess === 0n ? 1n : 1n << (excess - 1n);
  const up = rest > half || (rest === half && whole % 2n === 1n) ? 1n : 0n;
  const rounded = Number(whole + up) * 2 ** Number(excess);
  return floatToBits(value < 0n ? -rounded : rounded, 32);
}

describe('patterns of NaN', () => {
  it('become the one that there is', () => {
    const build: Build = (graph, a) => floats.canonicalFloat(graph, a);
    const compute = encode(build, 32);
    for (const pattern of [0xffc0_0000n, 0x7f80_0001n, 0x7fff_ffffn]) {
      expect(compute(pattern, 0n)).toBe(0x7fc0_0000n);
      expect(fold(build, 32, pattern, 0n)).toBe(0x7fc0_0000n);
    }
    expect(compute(0xff80_0000n, 0n)).toBe(0xff80_0000n);
  });

  it('are made one only once', () => {
    const graph = new TermGraph();
    const once = floats.canonicalFloat(graph, graph.variable(sets.topSet(64), 'x'));
    expect(floats.canonicalFloat(graph, once)).toBe(once);
  });
});

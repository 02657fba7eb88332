import { describe, expect, it } from 'vitest';
import type { BitVector } from '../logic/bit-vector.ts';
import * as vectors from '../logic/bit-vector.ts';
import { Circuit } from '../logic/circuit.ts';
import { Cnf } from '../logic/cnf.ts';
import { FALSE, not, TRUE } from '../logic/literal.ts';
import { bitShape } from '../values/bit-shape.ts';
import { hasValue, rangeSet, setOfValues, signedRangeSet, type ValueSet } from '../values/value-set.ts';
import { assertWithin } from './assert-within.ts';
import { fitShape } from './encode-terms.ts';

const WIDTH = 8;

/** The values that the clauses leave to bits in the shape of the set. */
function valuesLeft(set: ValueSet): number[] {
  const left: number[] = [];
  for (let value = 0; value < 2 ** WIDTH; value++) {
    const circuit = new Circuit();
    const bits = fitShape(vectors.fresh(circuit, WIDTH), bitShape(set), WIDTH);
    assertWithin(circuit, bits, set);
    if (isPossible(circuit, bits, value)) left.push(value);
  }
  return left;
}

/** Every clause has a literal that the value makes true; the bits are inputs, so that no search is needed. */
function isPossible(circuit: Circuit, bits: BitVector, value: number): boolean {
  const cnf = new Cnf(circuit, { polarityAware: false });
  const truth = new Map<number, boolean>();
  for (const [i, literal] of bits.entries()) {
    const isOne = ((value >> i) & 1) === 1;
    if (literal === TRUE || literal === FALSE) {
      if ((literal === TRUE) !== isOne) return false;
      continue;
    }
    const name = cnf.literal(literal);
    if ((truth.get(name) ?? isOne) !== isOne) return false;
    truth.set(name, isOne);
    truth.set(cnf.literal(not(literal)), !isOne);
  }
  let clauseHolds = false;
  for (const literal of cnf.takeClauses()) {
    if (literal === 0) {
      if (!clauseHolds) return false;
      clauseHolds = false;
    } else if (truth.get(literal) ?? true) clauseHolds = true;
  }
  return true;
}

describe('assertWithin', () => {
  const sets: Record<string, ValueSet> = {
    'a sign that is repeated': signedRangeSet(WIDTH, -1n, 2n),
    'a range from below zero': signedRangeSet(WIDTH, -12n, 9n),
    'single values': setOfValues(WIDTH, [3n, 64n, 65n, 200n]),
    'a stride': rangeSet(WIDTH, 4n, 28n, 12n),
    'all patterns of the width': rangeSet(WIDTH, 0n, 7n),
  };
  for (const [name, set] of Object.entries(sets)) {
    it(`leaves just the values of the set: ${name}`, () => {
      const expected = Array.from({ length: 2 ** WIDTH }, (_, i) => i).filter((value) => hasValue(set, BigInt(value)));
      expect(valuesLeft(set)).toEqual(expected);
    });
  }

  it('says nothing about large sets', () => {
    const set = rangeSet(WIDTH, 0n, 100n);
    expect(valuesLeft(set)).toContain(101);
  });
});

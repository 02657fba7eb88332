/**
 * Terms in bits against plain arithmetic: random terms are encoded, the inputs of the circuit are set to values inside
 * of the variables' sets, and the circuit must compute what the terms mean.
 */

import { describe, expect, it } from 'vitest';
import { printTerm } from '../../test/support/print-term.ts';
import { createRandomTerms, type RandomTerms } from '../../test/support/random-terms.ts';
import { Circuit } from '../logic/circuit.ts';
import { evaluate } from '../logic/evaluate.ts';
import { FALSE, TRUE } from '../logic/literal.ts';
import { TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { TermEncoder } from './encode-terms.ts';

/**
 * The circuit's inputs under an assignment: a bit of a variable may be known or shared with others, but never be
 * contradicted.
 */
function inputsOf({ variables }: RandomTerms, encoder: TermEncoder, assignment: number): Map<number, boolean> {
  const inputs = new Map<number, boolean>([[TRUE, true]]);
  for (const { term, values } of variables) {
    encoder.bitsOf(term).forEach((literal, i) => {
      const bit = (((values[assignment] as bigint) >> BigInt(i)) & 1n) === 1n;
      const input = Math.abs(literal);
      const wanted = literal > 0 ? bit : !bit;
      expect(inputs.get(input) ?? wanted).toBe(wanted);
      inputs.set(input, wanted);
    });
  }
  return inputs;
}

describe('TermEncoder', () => {
  it.each([
    { widths: [1, 2, 3, 4], seeds: 200 },
    { widths: [1, 8, 11, 16], seeds: 60 },
    { widths: [1, 32, 64], seeds: 8 },
  ])('gives random terms of widths $widths the bits of their values', ({ widths, seeds }) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const made = createRandomTerms(seed, 25, widths);
      const circuit = new Circuit();
      const encoder = new TermEncoder(made.graph, circuit);
      const encoded = made.terms.map((known) => ({ ...known, bits: encoder.bitsOf(known.term) }));
      for (const at of made.live) {
        const inputs = inputsOf(made, encoder, at);
        const evaluation = evaluate(circuit, (variable) => inputs.get(variable) ?? false);
        for (const { term, width, values, bits } of encoded) {
          if (bits.length !== width || evaluation.unsigned(bits) !== values[at])
            expect.fail(
              `seed ${seed}: ${printTerm(made.graph, term)} is ${evaluation.unsigned(bits)}, not ${values[at]}`,
            );
        }
      }
    }
  });

  it('spends only the bits that vary', () => {
    const graph = new TermGraph();
    const circuit = new Circuit();
    const encoder = new TermEncoder(graph, circuit);
    const fresh = (set: sets.ValueSet) => new Set(encoder.bitsOf(graph.variable(set, 'v')).map(Math.abs));
    expect(fresh(sets.rangeSet(32, 0n, 5n))).toEqual(new Set([2, 3, 4, TRUE]));
    expect(fresh(sets.setOfValues(64, [0x20000n, 0x30000n])).size).toBe(2);
    expect(fresh(sets.signedRangeSet(32, -4n, 3n)).size).toBe(3);
    expect(encoder.bitsOf(graph.constant(2, 2n))).toEqual([FALSE, TRUE]);
  });
});

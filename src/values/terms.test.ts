/**
 * Terms against plain arithmetic: whatever the simplifications make of a random term, its value stays the same under
 * every assignment and lies in the term's set.
 */

import { describe, expect, it } from 'vitest';
import { printTerm } from '../../test/support/print-term.ts';
import { createRandomTerms, evaluateTerm } from '../../test/support/random-terms.ts';
import { type Term, TermGraph } from './terms.ts';
import * as sets from './value-set.ts';

describe('random terms', () => {
  it('keep their values, and their sets contain them', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const { graph, variables, terms, live } = createRandomTerms(
        seed,
        30,
        seed % 2 === 0 ? [1, 2, 3, 4] : [1, 8, 16, 32, 64],
      );
      for (const at of live) {
        const assignment = new Map(variables.map((v) => [v.term, v.values[at] as bigint]));
        const assigned = (variable: Term) => assignment.get(variable) as bigint;
        for (const { term, values } of terms) {
          const expected = values[at] as bigint;
          const what = `seed ${seed}: ${printTerm(graph, term)}`;
          if (evaluateTerm(graph, term, assigned) !== expected) expect.fail(`${what} is no longer ${expected}`);
          if (!sets.hasValue(graph.setOf(term), expected)) expect.fail(`${what} has no ${expected} in its set`);
        }
      }
      expect(live.length).toBeGreaterThan(0);
    }
  });
});

describe('TermGraph', () => {
  const graph = new TermGraph();
  const x = graph.variable(sets.rangeSet(32, 0n, 5n), 'x');
  const y = graph.variable(sets.topSet(32), 'y');
  const p = graph.variable(sets.topSet(1), 'p');
  const q = graph.variable(sets.topSet(1), 'q');
  const constant = (value: bigint) => graph.constant(32, value);

  it('makes equal terms once', () => {
    expect(graph.add(x, y)).toBe(graph.add(y, x));
    expect(graph.refine(y, sets.rangeSet(32, 0n, 9n))).toBe(graph.refine(y, sets.rangeSet(32, 0n, 9n)));
    expect(graph.constant(64, -1n)).toBe(graph.constant(64, 0xffff_ffff_ffff_ffffn));
    expect(graph.constant(64, 1n)).not.toBe(graph.constant(32, 1n));
  });

  it('folds what the sets decide', () => {
    expect(graph.eq(x, constant(6n))).toBe(graph.false);
    expect(graph.less('slt', x, constant(6n))).toBe(graph.true);
    expect(graph.less('ult', graph.add(x, constant(1n)), constant(1n))).toBe(graph.false);
    expect(graph.extend(graph.extract(x, 0, 8), 32, true)).toBe(graph.extend(graph.extract(x, 0, 8), 32, false));
  });

  it('shortens guards of joined paths', () => {
    expect(graph.or(graph.and(p, q), graph.and(p, graph.not(q)))).toBe(p);
    expect(graph.or(p, graph.and(graph.not(p), q))).toBe(graph.or(p, q));
    expect(graph.and(p, graph.or(graph.not(p), q))).toBe(graph.and(p, q));
  });

  it('compares long chains of conditionals with constants, shared or not', () => {
    let chain = constant(0n);
    let shared = constant(1n);
    for (let i = 0; i < 20_000; i++) {
      const condition = graph.variable(sets.topSet(1), 'c');
      chain = graph.ite(condition, constant(BigInt(i % 7)), chain);
      if (i < 200)
        shared = graph.ite(condition, graph.ite(p, shared, constant(3n)), graph.ite(q, shared, constant(4n)));
    }
    expect(graph.widthOf(graph.eq(chain, constant(3n)))).toBe(1);
    expect(graph.widthOf(graph.eq(shared, constant(3n)))).toBe(1);
  });
});

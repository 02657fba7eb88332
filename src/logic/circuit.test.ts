import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../support/invariant.ts';
import { pushAll } from '../support/push-all.ts';
import { createRandom } from '../support/random.ts';
import * as bv from './bit-vector.ts';
import { Circuit } from './circuit.ts';
import { Cnf } from './cnf.ts';
import { evaluate } from './evaluate.ts';
import { FALSE, type Literal, not, TRUE } from './literal.ts';

const GATES = ['and', 'or', 'xor', 'iff', 'implies', 'ite', 'xor3', 'maj', 'andMany', 'orMany'] as const;

/** Builds random gates over four inputs next to their truth tables (16 bits), which simplification must not change. */
function randomCircuit(seed: number, size: number) {
  const random = createRandom(seed);
  const circuit = new Circuit();
  const literals: Literal[] = [TRUE, FALSE];
  const tables: number[] = [0xffff, 0];
  for (const table of [0xaaaa, 0xcccc, 0xf0f0, 0xff00]) {
    literals.push(circuit.fresh());
    tables.push(table);
  }
  const pick = (): [Literal, number] => {
    const index = random.below(literals.length);
    const [literal, table] = [literals[index] as Literal, tables[index] as number];
    return random.chance(1, 2) ? [not(literal), ~table & 0xffff] : [literal, table];
  };
  for (let i = 0; i < size; i++) {
    const [[a, x], [b, y], [c, z]] = [pick(), pick(), pick()];
    const [literal, table] = {
      and: () => [circuit.and(a, b), x & y] as const,
      or: () => [circuit.or(a, b), x | y] as const,
      xor: () => [circuit.xor(a, b), x ^ y] as const,
      iff: () => [circuit.iff(a, b), ~(x ^ y)] as const,
      implies: () => [circuit.implies(a, b), ~x | y] as const,
      ite: () => [circuit.ite(a, b, c), (x & y) | (~x & z)] as const,
      xor3: () => [circuit.xor3(a, b, c), x ^ y ^ z] as const,
      maj: () => [circuit.maj(a, b, c), (x & y) | (x & z) | (y & z)] as const,
      andMany: () => [circuit.andMany([a, b, c]), x & y & z] as const,
      orMany: () => [circuit.orMany([a, b, c]), x | y | z] as const,
    }[random.pick(GATES)]();
    literals.push(literal);
    tables.push(table & 0xffff);
  }
  return { circuit, literals, tables, inputs: literals.slice(2, 6) };
}

describe('circuit', () => {
  it('keeps the meaning of gates through simplification', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { circuit, literals, tables } = randomCircuit(seed, 40);
        for (let row = 0; row < 16; row++) {
          const values = evaluate(circuit, (variable) => ((row >> (variable - 2)) & 1) === 1);
          const seen = literals.map((literal) => values.value(literal));
          expect(seen).toEqual(tables.map((table) => ((table >> row) & 1) === 1));
        }
      }),
      { seed: 2, numRuns: 150 },
    );
  });

  it('makes equal gates once', () => {
    const circuit = new Circuit();
    const [a, b, c] = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
    expect(circuit.and(a, b)).toBe(circuit.and(b, a));
    expect(circuit.xor(a, not(b))).toBe(not(circuit.xor(b, a)));
    expect(circuit.ite(not(a), b, c)).toBe(circuit.ite(a, c, b));
    expect(circuit.ite(a, not(b), not(c))).toBe(not(circuit.ite(a, b, c)));
    expect(circuit.maj(not(a), not(b), not(c))).toBe(not(circuit.maj(c, a, b)));
    expect(circuit.gateCount).toBe(5);
  });

  it('simplifies over two levels', () => {
    const circuit = new Circuit();
    const [a, b, c] = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
    expect(circuit.and(a, circuit.and(a, b))).toBe(circuit.and(a, b));
    expect(circuit.and(not(a), circuit.and(a, b))).toBe(FALSE);
    expect(circuit.and(a, not(circuit.and(a, b)))).toBe(circuit.and(a, not(b)));
    expect(circuit.and(a, circuit.ite(a, b, c))).toBe(circuit.and(a, b));
    expect(circuit.ite(a, circuit.ite(a, b, c), c)).toBe(circuit.ite(a, b, c));
    expect(circuit.xor(circuit.xor(a, b), a)).toBe(b);
  });

  it('finds its gates again in a large table', () => {
    const circuit = new Circuit();
    const inputs = Array.from({ length: 300 }, () => circuit.fresh());
    const build = () => inputs.flatMap((a, i) => inputs.slice(i + 1).map((b) => circuit.and(a, b)));
    const first = build();
    const count = circuit.gateCount;
    expect(build()).toEqual(first);
    expect(circuit.gateCount).toBe(count);
    expect(count).toBe((300 * 299) / 2);
  });

  it('refuses vectors of different widths', () => {
    const circuit = new Circuit();
    expect(() => bv.eq(circuit, bv.fresh(circuit, 2), bv.fresh(circuit, 3))).toThrow(InvariantError);
  });
});

describe('clauses', () => {
  it('drops what holds anyway and what cannot hold', () => {
    const circuit = new Circuit();
    const [a, b] = [circuit.fresh(), circuit.fresh()];
    circuit.addClause([a, TRUE]);
    circuit.addClause([a, not(a), b]);
    circuit.addClause([a, FALSE, b, a]);
    expect([...circuit.clauses]).toEqual([a, b, 0]);
  });

  it('asserts a conjunction part by part', () => {
    const circuit = new Circuit();
    const inputs = Array.from({ length: 50_000 }, () => circuit.fresh());
    circuit.assert(inputs.reduce((all, one) => circuit.and(all, one), TRUE));
    expect(circuit.clauseCount).toBe(inputs.length);
  });
});

/** The rows of inputs (4 bits) that can be completed to a model of the clauses, by unit propagation from the inputs. */
function modelRows(cnf: Cnf, clauses: Int32Array, inputs: readonly Literal[]): number[] {
  const lists: number[][] = [[]];
  for (const literal of clauses) {
    if (literal === 0) lists.push([]);
    else lists.at(-1)?.push(literal);
  }
  lists.pop();
  return Array.from({ length: 16 }, (_, row) => row).filter((row) => {
    const assigned = inputs.flatMap((input, i) => {
      const variable = cnf.variable(input);
      return variable === 0 ? [] : [(row >> i) & 1 ? variable : -variable];
    });
    return satisfiable(lists, assigned);
  });
}

/** Plain backtracking; small formulas only. */
function satisfiable(clauses: readonly number[][], assigned: readonly number[]): boolean {
  const known = new Set(assigned);
  for (let changed = true; changed; ) {
    changed = false;
    for (const clause of clauses) {
      if (clause.some((literal) => known.has(literal))) continue;
      const open = clause.filter((literal) => !known.has(-literal));
      if (open.length === 0) return false;
      if (open.length === 1) {
        known.add(open[0] as number);
        changed = true;
      }
    }
  }
  const undecided = clauses.find((clause) => !clause.some((literal) => known.has(literal)));
  const branch = undecided?.find((literal) => !known.has(-literal));
  if (branch === undefined) return true;
  return satisfiable(clauses, [...known, branch]) || satisfiable(clauses, [...known, -branch]);
}

describe('cnf', () => {
  for (const polarityAware of [false, true]) {
    it(`has the circuit's models, also when it grows${polarityAware ? ' (polarity aware)' : ''}`, () => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const { circuit, literals, tables, inputs } = randomCircuit(seed, 14);
          const random = createRandom(seed + 1);
          const cnf = new Cnf(circuit, { polarityAware });
          const emitted: number[] = [];
          let holds = 0xffff;
          for (let step = 0; step < 3; step++) {
            const chosen = [0, 1].map(() => random.below(literals.length));
            const signs = chosen.map(() => random.chance(1, 2));
            circuit.addClause(
              chosen.map((k, i) => (signs[i] ? (literals[k] as Literal) : not(literals[k] as Literal))),
            );
            holds &= chosen.reduce((any, k, i) => any | (signs[i] ? (tables[k] as number) : ~(tables[k] as number)), 0);
            if (step === 1) cnf.literal(random.pick(literals));
            pushAll(emitted, cnf.takeClauses());
            const expected = Array.from({ length: 16 }, (_, row) => row).filter((row) => (holds >> row) & 1);
            expect(modelRows(cnf, Int32Array.from(emitted), inputs)).toEqual(expected);
          }
          expect(cnf.takeClauses()).toHaveLength(0);
        }),
        { seed: 3, numRuns: 200 },
      );
    });
  }

  it('numbers variables densely and only in the cone', () => {
    const circuit = new Circuit();
    const [a, b, unused] = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
    circuit.and(a, unused);
    circuit.addClause([circuit.xor(a, b)]);
    const cnf = new Cnf(circuit);
    cnf.takeClauses();
    expect(cnf.variableCount).toBe(4);
    expect([cnf.variable(a), cnf.variable(b), cnf.variable(unused)]).toEqual([2, 3, 0]);
  });

  it('melts conjunctions with one parent, deep ones too', () => {
    const circuit = new Circuit();
    const inputs = Array.from({ length: 20_000 }, () => circuit.fresh());
    const all = inputs.reduce((conjunction, one) => circuit.and(conjunction, one), TRUE);
    circuit.addClause([not(all), circuit.fresh()]);
    const cnf = new Cnf(circuit);
    cnf.takeClauses();
    expect([cnf.variableCount, cnf.clauseCount]).toEqual([20_002, 2]);
    expect(Math.abs(cnf.literal(all))).toBe(20_003);
  });

  it('reads values of gates that never reached the solver', () => {
    const circuit = new Circuit();
    const [a, b] = [circuit.fresh(), circuit.fresh()];
    circuit.addClause([a, b]);
    const unseen = circuit.and(a, not(b));
    const cnf = new Cnf(circuit);
    cnf.takeClauses();
    const values = cnf.evaluate((variable) => variable === cnf.variable(a));
    expect(values.value(unseen)).toBe(true);
    expect(values.signed([a, FALSE, a])).toBe(-3n);
  });

  it('reads values of gates that were made after the model', () => {
    const circuit = new Circuit();
    const [a, b] = [circuit.fresh(), circuit.fresh()];
    circuit.addClause([a, b]);
    const cnf = new Cnf(circuit);
    cnf.takeClauses();
    const values = cnf.evaluate((variable) => variable === cnf.variable(a));
    const later = circuit.and(a, not(b));
    expect([values.value(later), values.value(not(later)), values.value(circuit.fresh())]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

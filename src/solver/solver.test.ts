import { describe, expect, it } from 'vitest';
import { bruteForce, pigeonhole, randomThreeSat, satisfies } from '../../test/support/formulas.ts';
import { parseDimacs } from '../../test/support/parse-dimacs.ts';
import * as bv from '../logic/bit-vector.ts';
import { mul, popcount, srem, udiv } from '../logic/bit-vector-arithmetic.ts';
import { Circuit } from '../logic/circuit.ts';
import { Cnf } from '../logic/cnf.ts';
import { FLOAT16, floatEq, floatLe } from '../logic/float.ts';
import { floatAdd, floatMul } from '../logic/float-arithmetic.ts';
import { FALSE, not } from '../logic/literal.ts';
import { createRandom } from '../support/random.ts';
import { createCadical } from './cadical-wasm.ts';
import { CONFIGURATIONS, choosePortfolio } from './configurations.ts';
import { parseDimacsAnswer, printDimacsParts } from './dimacs.ts';
import { holds } from './solver.ts';

describe('cadical-wasm', () => {
  it('agrees with brute force on random 3-SAT', async () => {
    const answers = { satisfiable: 0, unsatisfiable: 0, unknown: 0 };
    for (let seed = 0; seed < 60; seed++) {
      const clauses = randomThreeSat(createRandom(seed), 10, 43);
      const solver = await createCadical({ seed });
      solver.addClauses(clauses.slice());
      const answer = await solver.solve();
      answers[answer.kind]++;
      expect(answer.kind).toBe(bruteForce(clauses, 10) ? 'satisfiable' : 'unsatisfiable');
      if (answer.kind === 'satisfiable') expect(satisfies(answer.model, clauses)).toBe(true);
      solver.dispose();
    }
    expect(Math.min(answers.satisfiable, answers.unsatisfiable)).toBeGreaterThan(5);
  });

  it('keeps clauses, not assumptions, between calls', async () => {
    const solver = await createCadical();
    solver.addClauses(Int32Array.of(1, 2, 0, -3, -4, 0));
    expect(await solver.solve([3, 4, 5])).toMatchObject({ kind: 'unsatisfiable', failedAssumptions: [3, 4] });
    const answer = await solver.solve([-1]);
    expect(answer.kind === 'satisfiable' && holds(answer.model, 2) && holds(answer.model, -1)).toBe(true);
    solver.addClauses(Int32Array.of(-1, 0, -2, 0));
    expect(await solver.solve()).toEqual({ kind: 'unsatisfiable', failedAssumptions: [] });
    solver.dispose();
  });

  it('takes the empty clause for a contradiction and no clause for a tautology', async () => {
    const solver = await createCadical();
    expect((await solver.solve()).kind).toBe('satisfiable');
    solver.addClauses(Int32Array.of(0));
    expect((await solver.solve()).kind).toBe('unsatisfiable');
    solver.dispose();
  });

  it('stops when asked, and goes on afterwards', async () => {
    let polls = 0;
    const solver = await createCadical({ shouldStop: () => ++polls > 20 && polls < 200 });
    solver.addClauses(pigeonhole(7));
    expect(await solver.solve()).toEqual({ kind: 'unknown', reason: 'interrupted' });
    polls = 200;
    expect((await solver.solve([-1])).kind).toBe('unsatisfiable');
    solver.dispose();
  });

  it('stops at a limit of conflicts and tells its progress', async () => {
    const seen: number[] = [];
    const solver = await createCadical({ onProgress: ({ conflicts }) => seen.push(conflicts), progressInterval: 100 });
    solver.addClauses(pigeonhole(11));
    expect(await solver.solve([], { conflicts: 1000 })).toEqual({ kind: 'unknown', reason: 'limit' });
    expect(seen.length).toBeGreaterThan(5);
    solver.dispose();
  });

  it('answers unknown when memory ends, and stays so', async () => {
    const solver = await createCadical();
    solver.addClauses(Int32Array.of(2 ** 31 - 2, 0));
    expect(await solver.solve()).toMatchObject({ kind: 'unknown', reason: 'memory' });
    solver.addClauses(Int32Array.of(1, 0));
    expect(await solver.solve()).toMatchObject({ kind: 'unknown', reason: 'memory' });
    solver.dispose();
    const other = await createCadical();
    other.addClauses(Int32Array.of(1, 0));
    expect((await other.solve()).kind).toBe('satisfiable');
    other.dispose();
  });

  it('keeps a memory limit', async () => {
    const solver = await createCadical({ memoryLimitBytes: 1 << 20 });
    solver.addClauses(pigeonhole(10));
    expect(await solver.solve()).toMatchObject({ kind: 'unknown', reason: 'memory' });
    solver.dispose();
  });

  it('has only configurations that CaDiCaL accepts', async () => {
    for (const configuration of Object.values(CONFIGURATIONS)) {
      const solver = await createCadical({ configuration });
      solver.addClauses(pigeonhole(5));
      expect((await solver.solve()).kind).toBe('unsatisfiable');
      solver.dispose();
    }
    const seeds = choosePortfolio(7, 40).map(({ seed }) => seed);
    expect(seeds).toEqual([40, 41, 42, 43, 44, 45, 46]);
  });
});

describe('circuits through the solver', () => {
  for (const polarityAware of [false, true]) {
    it(`factors, divides and enumerates with growing clauses${polarityAware ? ' (polarity aware)' : ''}`, async () => {
      const circuit = new Circuit();
      const [x, y] = [bv.fresh(circuit, 16), bv.fresh(circuit, 16)];
      const product = mul(circuit, bv.zeroExtend(x, 32), bv.zeroExtend(y, 32));
      const cnf = new Cnf(circuit, { polarityAware });
      const solver = await createCadical();
      circuit.assert(bv.eq(circuit, product, bv.constant(251n * 257n, 32)));
      circuit.assert(bv.ult(circuit, bv.constant(1n, 16), x), bv.ult(circuit, x, y));
      solver.addClauses(cnf.takeClauses());
      const answer = await solver.solve();
      if (answer.kind !== 'satisfiable') throw new Error(`expected a model, got ${answer.kind}`);
      const values = cnf.evaluate((variable) => holds(answer.model, variable));
      expect([values.unsigned(x), values.unsigned(y), values.unsigned(product)]).toEqual([251n, 257n, 64507n]);
      const other = cnf.literal(not(bv.eq(circuit, udiv(circuit, y, x), bv.constant(1n, 16))));
      solver.addClauses(cnf.takeClauses());
      expect(await solver.solve([other])).toEqual({ kind: 'unsatisfiable', failedAssumptions: [other] });
      expect((await solver.solve()).kind).toBe('satisfiable');
      solver.dispose();
    });
  }
});

describe('the solver and the evaluator agree', () => {
  it('on the outputs of operations, for given inputs', async () => {
    const circuit = new Circuit();
    const [a, b] = [bv.fresh(circuit, 16), bv.fresh(circuit, 16)];
    const outputs = [
      ...[mul, udiv, srem, bv.shl, bv.ashr].flatMap((build) => build(circuit, a, b)),
      ...[bv.slt, bv.ule].map((build) => build(circuit, a, b)),
      ...popcount(circuit, a),
      ...[floatAdd, floatMul].flatMap((build) => build(circuit, FLOAT16, a, b)),
    ];
    const cnf = new Cnf(circuit);
    const [inputs, mapped] = [[...a, ...b], outputs].map((literals) => literals.map((literal) => cnf.literal(literal)));
    const solver = await createCadical();
    solver.addClauses(cnf.takeClauses());
    const random = createRandom(3);
    for (let i = 0; i < 30; i++) {
      const answer = await solver.solve((inputs ?? []).map((literal) => (random.chance(1, 2) ? literal : -literal)));
      if (answer.kind !== 'satisfiable') throw new Error(`expected a model, got ${answer.kind}`);
      const values = cnf.evaluate((variable) => holds(answer.model, variable));
      expect(mapped?.map((literal) => holds(answer.model, literal))).toEqual(outputs.map(values.value));
    }
    solver.dispose();
  });

  it('that adding one to a half precision number changes it up to 1024, but not everywhere', async () => {
    for (const [bound, kind] of [
      [0x6400n, 'unsatisfiable'],
      [0x6a00n, 'satisfiable'],
    ] as const) {
      const circuit = new Circuit();
      const [x, one] = [bv.fresh(circuit, 16), bv.constant(0x3c00n, 16)];
      const magnitude = [...x.slice(0, -1), FALSE];
      circuit.assert(floatEq(circuit, FLOAT16, floatAdd(circuit, FLOAT16, x, one), x));
      circuit.assert(floatLe(circuit, FLOAT16, magnitude, bv.constant(bound, 16)));
      const cnf = new Cnf(circuit);
      const solver = await createCadical();
      solver.addClauses(cnf.takeClauses());
      const answer = await solver.solve();
      expect(answer.kind).toBe(kind);
      if (answer.kind === 'satisfiable') {
        const found = cnf.evaluate((variable) => holds(answer.model, variable)).unsigned(magnitude);
        expect(found).toBeGreaterThanOrEqual(0x6800n);
      }
      solver.dispose();
    }
  });
});

describe('dimacs', () => {
  const print = (...formula: Parameters<typeof printDimacsParts>) => [...printDimacsParts(...formula)].join('');

  it('prints and parses', () => {
    const clauses = Int32Array.of(1, -2, 0, 3, 0);
    expect(print(clauses, [-7])).toBe('p cnf 7 3\n1 -2 0\n3 0\n-7 0\n');
    const parsed = parseDimacs(`c a comment\n${print(clauses)}`);
    expect(parsed).toEqual({ kind: 'formula', formula: { variableCount: 3, clauses } });
  });

  it('names the line of a fault', () => {
    expect(parseDimacs('p cnf 2 1\n1 x 0\n')).toEqual({ kind: 'error', line: 2, message: 'not a literal: x' });
    expect(parseDimacs('p cnf 2 1\n1 3 0\n')).toMatchObject({ line: 2 });
    expect(parseDimacs('1 0\n')).toMatchObject({ message: 'a clause before the header' });
    expect(parseDimacs('p cnf 1 1\n1\n')).toMatchObject({ message: 'unfinished clause' });
    expect(parseDimacs('p dnf 1 1\n')).toMatchObject({ message: 'malformed header' });
    expect(parseDimacs('')).toMatchObject({ message: 'no header' });
  });

  it('trusts only complete answers', () => {
    const model = Uint8Array.of(0, 1, 0, 1);
    expect(parseDimacsAnswer('c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n', 3)).toEqual({ kind: 'satisfiable', model });
    expect(parseDimacsAnswer('s SATISFIABLE\nv 1 -2\n', 3)).toEqual({ kind: 'unknown' });
    expect(parseDimacsAnswer('s UNSATISFIABLE\n', 3)).toEqual({ kind: 'unsatisfiable' });
    expect(parseDimacsAnswer('killed', 3)).toEqual({ kind: 'unknown' });
  });
});

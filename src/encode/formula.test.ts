import { describe, expect, it } from 'vitest';
import { Circuit } from '../logic/circuit.ts';
import { type Literal, not } from '../logic/literal.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { Formula } from './formula.ts';

describe('a formula', () => {
  it('is opened once and asked often: with a model, with failed assumptions, with more clauses', async () => {
    const circuit = new Circuit();
    const [a, b, c] = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
    circuit.addClause([not(a), not(b)]);
    let solvers = 0;
    const formula = new Formula(circuit, () => {
      solvers++;
      return createCadical();
    });
    try {
      const answer = await formula.ask([a]);
      if (answer.kind !== 'model') throw new Error(answer.kind);
      expect([a, b].map((literal) => answer.model.value(literal))).toEqual([true, false]);
      expect(failedOf(await formula.ask([c, a, b]))).toEqual([a, b]);
      circuit.addClause([a, c]);
      circuit.addClause([b, not(c)]);
      const both = circuit.and(a, not(c));
      expect((await formula.ask([both])).kind).toBe('model');
      expect(failedOf(await formula.ask([not(both), b, a]))).toContain(a);
      circuit.addClause([not(a)]);
      circuit.addClause([not(c)]);
      expect(await formula.ask([])).toEqual({ kind: 'none', failed: [] });
      expect(solvers).toBe(1);
    } finally {
      formula.dispose();
    }
  });

  it('makes no solver before it is asked', () => {
    const circuit = new Circuit();
    circuit.addClause([circuit.fresh()]);
    const formula = new Formula(circuit, () => {
      throw new Error('nobody asked');
    });
    expect(formula.encode().length).toBeGreaterThan(0);
    formula.dispose();
  });

  it('says why there is no answer', async () => {
    const circuit = new Circuit();
    const formula = new Formula(circuit, async () => ({
      addClauses: () => {},
      solve: async () => ({ kind: 'unknown', reason: 'crashed', detail: 'a test' }),
      interrupt: () => {},
      dispose: () => {},
    }));
    expect(await formula.ask([])).toEqual({ kind: 'unknown', reason: 'the solver crashed: a test' });
  });
});

function failedOf(answer: Awaited<ReturnType<Formula['ask']>>): readonly Literal[] {
  return answer.kind === 'none' ? answer.failed : [];
}

import { describe, expect, it } from 'vitest';
import { expectNoProof, HEAD, proveText } from '../../../test/support/prove-text.ts';
import { createRandomTerms } from '../../../test/support/random-terms.ts';
import type { Term } from '../../values/terms.ts';
import { TermProgram } from './term-program.ts';

/** Two threads that add the other's variable to their own, so many times each. */
const sums = (type: string, turns: number, assertion: string) => `${HEAD}
  ${type} i = 1, j = 1;
  void *f(void *unused) { for (int k = 0; k < ${turns}; k++) i += j; return 0; }
  void *g(void *unused) { for (int k = 0; k < ${turns}; k++) j += i; return 0; }
  int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    assert(${assertion});
    return 0;
  }`;

describe('states that cover others', () => {
  it('bound what threads add up in bounded loops', async () => {
    const outcome = await proveText(sums('int', 5, 'i <= 144 && j <= 144'), [], 100_000, 20_000);
    expect(outcome).toMatchObject({
      kind: 'proved',
      attempt: 'all states',
      evidence: { kind: 'states' },
      confirmation: { isConfirmed: true, trusted: [] },
    });
    expect(outcome.kind === 'proved' && outcome.invariant.facts.map(({ holds }) => holds)).toEqual([
      '0 <= i && i <= 144',
      '0 <= j && j <= 144',
    ]);
  });

  it('say nothing where the bound is passed', async () => {
    const outcome = await proveText(sums('int', 4, 'i < 55'), [], 12_000);
    expect(outcome.kind).toBe('unknown');
    const { outcome: end } = outcome.attempts.find(({ attempt }) => attempt === 'all states') ?? {};
    expect(end).toBe('a violation is reached');
  });

  it('say nothing by their order where sums wrap', async () => {
    // The largest sum before the last turn is 233, and smaller ones come to more than what it wraps to.
    const outcome = await proveText(sums('unsigned char', 6, 'i != 254'), [], 4_000);
    expect(outcome.kind === 'proved' && outcome.attempt).not.toBe('all states');
  });

  it('are told by small values where variables fall', async () => {
    const text = (least: number) => `${HEAD}
      int x = 1000;
      void *f(void *unused) { for (int k = 0; k < 30; k++) x = x - k; return 0; }
      int main(void) {
        pthread_t t, u;
        pthread_create(&t, 0, f, 0);
        pthread_create(&u, 0, f, 0);
        assert(x >= ${least});
        return 0;
      }`;
    expect((await proveText(text(130), [], 100_000)).kind).toBe('proved');
    await expectNoProof(text(131), [], 4_000);
  });
});

describe('a program of terms', () => {
  it('computes what the terms mean', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { graph, variables, terms, live } = createRandomTerms(seed, 40, [1, 8, 32, 1, 16, 64]);
      const program = new TermProgram(
        graph,
        terms.map(({ term }) => term),
      );
      for (const at of live) {
        const read = new Map<Term, bigint>(variables.map(({ term, values }) => [term, values[at] as bigint]));
        const computed = program.run((variable) => read.get(variable) as bigint);
        expect(computed, `seed ${seed}`).toEqual(terms.map(({ values }) => values[at]));
      }
    }
  });

  it('may hold where it does for some values of what is not told', () => {
    let excluded = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { graph, variables, terms, live } = createRandomTerms(seed, 40, [1, 8, 32, 1, 16, 64]);
      for (const { term, values } of terms.filter((each) => graph.widthOf(each.term) === 1)) {
        const program = new TermProgram(graph, [term]);
        for (const at of live) {
          const read = new Map<Term, bigint>(
            variables.flatMap((each, i) => ((seed + i) % 3 === 0 ? [] : [[each.term, each.values[at] as bigint]])),
          );
          const mayHold = program.mayHold((variable) => read.get(variable) ?? null);
          if (values[at] === 1n) expect(mayHold, `seed ${seed}`).toBe(true);
          if (!mayHold) excluded++;
        }
      }
    }
    expect(excluded).toBeGreaterThan(100);
  });
});

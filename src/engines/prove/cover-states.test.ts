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

describe('states in which some values may be any', () => {
  /** Requests that two workers take from a buffer, until they are told to end. */
  const buffer = (stop: string, assertion: string) => `${HEAD}
    int queue[2], head, tail, count, handled;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
    void put(int value) {
      pthread_mutex_lock(&m);
      while (count == 2) pthread_cond_wait(&full, &m);
      queue[tail] = value;
      tail = (tail + 1) % 2;
      count++;
      pthread_cond_signal(&empty);
      pthread_mutex_unlock(&m);
    }
    int get(void) {
      pthread_mutex_lock(&m);
      while (count == 0) pthread_cond_wait(&empty, &m);
      int value = queue[head];
      head = (head + 1) % 2;
      count--;
      pthread_cond_signal(&full);
      pthread_mutex_unlock(&m);
      return value;
    }
    void *work(void *unused) {
      for (int value; (value = get()) >= 0; ) {
        assert(value == 1 || value == 2);
        pthread_mutex_lock(&m);
        handled++;
        pthread_mutex_unlock(&m);
      }
      return 0;
    }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, work, 0);
      pthread_create(&u, 0, work, 0);
      put(1);
      put(2);
      ${stop}
      pthread_join(t, 0);
      pthread_join(u, 0);
      assert(${assertion});
      return 0;
    }`;

  it('prove that workers handle all requests, and end', async () => {
    const outcome = await proveText(buffer('put(-1); put(-1);', 'handled == 2'), ['deadlock']);
    expect(outcome).toMatchObject({ kind: 'proved', attempt: 'all states' });
  }, 90_000);

  it('prove nothing where one is not told to end, or counts are wrong', async () => {
    await expectNoProof(buffer('put(-1);', 'handled == 2'), ['deadlock'], 10_000);
    await expectNoProof(buffer('put(-1); put(-1);', 'handled == 1'), [], 10_000);
  }, 60_000);

  /** What new memory holds is anything. */
  const nodes = (assertion: string, first = 'n->value = 3;') => `${HEAD}
    struct node { int value; struct node *next; } *list;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int taken;
    void *take(void *unused) {
      while (taken < 2) {
        pthread_mutex_lock(&m);
        struct node *n = list;
        if (n) list = n->next;
        pthread_mutex_unlock(&m);
        if (!n) continue;
        assert(${assertion});
        free(n);
        taken++;
      }
      return 0;
    }
    void give(int value) {
      struct node *n = malloc(sizeof *n);
      n->value = value;
      ${first}
      pthread_mutex_lock(&m);
      n->next = list;
      list = n;
      pthread_mutex_unlock(&m);
    }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, take, 0);
      give(3);
      give(4);
      pthread_join(t, 0);
      return 0;
    }`;

  it('follow lists of what was allocated', async () => {
    expect(await proveText(nodes('n->value >= 3', ''), ['deadlock'])).toMatchObject({ kind: 'proved' });
    await expectNoProof(nodes('n->value == 3', ''), [], 10_000);
    const unset = nodes('n->value >= 3', '').replace('n->value = value;', 'if (value == 3) n->value = value;');
    await expectNoProof(unset, [], 10_000);
  }, 60_000);

  it('prove nothing of what is read of new memory', async () => {
    const text = (assertion: string) => `${HEAD}
      unsigned *p, x;
      void *f(void *unused) { unsigned v = *p; if (v == 77) x = 1; assert(${assertion}); return 0; }
      int main(void) {
        p = malloc(sizeof *p);
        pthread_t t, u;
        pthread_create(&t, 0, f, 0);
        pthread_create(&u, 0, f, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
      }`;
    expect((await proveText(text('x <= 1'))).kind).toBe('proved');
    await expectNoProof(text('x == 0'), [], 5_000);
    await expectNoProof(text('v != 12345'), [], 5_000);
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
        const computed = program.guessAll((variable) => read.get(variable) as bigint);
        expect(computed, `seed ${seed}`).toEqual(terms.map(({ values }) => values[at]));
      }
    }
  });

  it('tells what does not depend on what is not told', () => {
    let excluded = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { graph, variables, terms, live } = createRandomTerms(seed, 40, [1, 8, 32, 1, 16, 64]);
      for (const { term, values } of terms.filter((each) => graph.widthOf(each.term) === 1)) {
        const program = new TermProgram(graph, [term]);
        for (const at of live) {
          const read = new Map<Term, bigint>(
            variables.flatMap((each, i) => ((seed + i) % 3 === 0 ? [] : [[each.term, each.values[at] as bigint]])),
          );
          const guess = program.guess((variable) => read.get(variable) ?? null);
          if ('value' in guess) expect(guess.value, `seed ${seed}`).toBe(values[at]);
          else expect(guess.dependsOn === null || read.has(guess.dependsOn), `seed ${seed}`).toBe(false);
          if ('value' in guess && guess.value === 0n) excluded++;
        }
      }
    }
    expect(excluded).toBeGreaterThan(100);
  });
});

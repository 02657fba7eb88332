/** What executions with smaller bounds have learned: it makes the next one shorter, and changes nothing else. */

import { describe, expect, it } from 'vitest';
import { lowerText } from '../../test/support/lower-text.ts';
import { DEFAULT_LOWER_OPTIONS } from '../lower/context.ts';
import { uniformBounds } from '../program/bounds.ts';
import { printSet } from '../values/value-set.ts';
import { type Experience, executeProgram } from './execute-program.ts';
import { pruneSteps } from './prune-steps.ts';

/** The threads and cells of the bounded program, and how often it was executed. */
function execute(text: string, unwind: number, experience?: Experience): { summary: string[]; iterations: number } {
  let iterations = 0;
  const options = {
    bounds: uniformBounds(unwind),
    limits: { terms: 200_000, steps: 2_000, constantIterations: 100, poll: () => {} },
    checks: DEFAULT_LOWER_OPTIONS.checks,
    onIteration: () => {
      iterations++;
    },
  };
  const { threads, cells } = pruneSteps(executeProgram(lowerText(text), options, experience));
  return {
    summary: [
      ...threads.map(({ index, name, steps }) => `${index} ${name} ${steps.length}`),
      ...cells.map(({ name, set }) => `${name} ${printSet(set, true)}`),
    ],
    iterations,
  };
}

const COUNTER = `
  #include <pthread.h>
  int stop, count, sum = 1, other = 1;
  pthread_mutex_t lock;
  void *work(void *unused) {
    while (!stop) { pthread_mutex_lock(&lock); count += 2; pthread_mutex_unlock(&lock); sum += other; }
    return unused;
  }
  void *double_it(void *unused) { while (!stop) other += sum; return unused; }
  int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, double_it, 0);
    stop = 1;
    pthread_join(a, 0);
    return count;
  }`;

const RELAY = `
  #include <pthread.h>
  #include <stdlib.h>
  int *from, *to, seen;
  void *take(void *unused) { for (int i = 0; i < 2; i++) { int *it = to; if (it) seen = *it; } return unused; }
  void *pass(void *unused) { while (!to) { int *it = from; if (it) { *it += 1; to = it; } } return unused; }
  void *make(void *unused) { int *it = malloc(sizeof *it); *it = 5; from = it; return unused; }
  int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, pass, 0);
    pthread_create(&c, 0, make, 0);
    return seen;
  }`;

describe('experience', () => {
  it.each([COUNTER, RELAY])('leaves the result as it is', (text) => {
    const experience: Experience = { knowledge: null };
    for (const unwind of [1, 2, 3])
      expect(execute(text, unwind, experience).summary).toEqual(execute(text, unwind).summary);
  });

  it('saves iterations', () => {
    const experience: Experience = { knowledge: null };
    execute(RELAY, 1, experience);
    expect(execute(RELAY, 2, experience).iterations).toBeLessThan(execute(RELAY, 2).iterations - 1);
  });

  it('is dropped where threads would be numbered otherwise', () => {
    const text = `
      #include <pthread.h>
      int __VERIFIER_nondet_int(void);
      int x;
      void *first(void *unused) { x++; return unused; }
      void *second(void *unused) { x--; return unused; }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < __VERIFIER_nondet_int(); i++) pthread_create(&t, 0, first, 0);
        pthread_create(&t, 0, second, 0);
        return 0;
      }
    `
      .replace('int n,', 'int __VERIFIER_nondet_int(void); int')
      .replace('< n', '< __VERIFIER_nondet_int()');
    const experience: Experience = { knowledge: null };
    for (const unwind of [1, 2])
      expect(execute(text, unwind, experience).summary).toEqual(execute(text, unwind).summary);
  });
});

describe('threads', () => {
  it('are numbered without those that only seemed to exist', () => {
    const text = `
      #include <pthread.h>
      int x;
      void *inner(void *unused) { x = 1; return unused; }
      void *endless(void *unused) { pthread_t t; pthread_create(&t, 0, inner, 0); while (1) x = 2; return unused; }
      void *never(void *unused) { return unused; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, endless, 0);
        pthread_join(t, 0);
        pthread_create(&t, 0, never, 0);
        return 0;
      }`;
    expect(execute(text, 1).summary.slice(0, 3)).toEqual(['0 main 2', '1 endless 2', '2 inner 0']);
  });
});

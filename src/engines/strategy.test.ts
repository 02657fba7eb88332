/** How a check goes through its stages when no bounds are given. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';
import { NO_BOUNDS } from '../outcome/outcome.ts';
import type { Stage } from '../outcome/progress.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { createIncrementalSolvers } from '../solver/incremental-cadical.ts';
import type { SatSolver } from '../solver/solver.ts';
import { compileSolver } from '../solver/solver-code.ts';

/** The stages that were begun, the unwinding bounds of the symbolic executions, and the outcome. */
async function follow(text: string) {
  const stages: Stage[] = [];
  const executed: number[] = [];
  const outcome = await checkText(text, {
    observer: { onStage: (stage) => stages.push(stage), onSteps: (stage) => executed.push(stage.unwind) },
  });
  return { stages, executed, outcome: outcome.kind };
}

const THREADS = '#include <pthread.h>\n#include <assert.h>\n';

describe('stages', () => {
  it('share one execution while no execution is cut', async () => {
    const { stages, executed, outcome } = await follow(`${THREADS}
      int a, b;
      void *t(void *u) { for (int i = 1; i < 3; i++) { a = i; b = i; } return 0; }
      int main(void) {
        pthread_t x;
        pthread_create(&x, 0, t, 0);
        int seen = b;
        assert(a >= seen);
        pthread_join(x, 0);
        return 0;
      }`);
    expect(outcome).toBe('safe');
    expect(stages.length).toBeGreaterThan(1);
    expect(executed).toEqual([1]);
  });

  it('are not needed by a program without loops', async () => {
    const { stages, executed, outcome } = await follow(`${THREADS}
      int a, b;
      void *t(void *u) { a = 1; b = 1; return 0; }
      int main(void) {
        pthread_t x;
        pthread_create(&x, 0, t, 0);
        int seen = b;
        assert(a >= seen);
        return 0;
      }`);
    expect(outcome).toBe('safe');
    expect(stages).toEqual([{ unwind: 1, rounds: 1 }]);
    expect(executed).toEqual([1]);
  });

  it('go on where a loop is cut that begins where an idle one does', async () => {
    const text = readFileSync(new URL('../../test/programs/unsafe/loops-with-one-head.c', import.meta.url), 'utf8');
    expect((await checkText(text, { explore: false })).kind).toBe('unsafe');
    // Nothing comes to the assertion.
    expect((await checkText(text, { explore: false, unwind: 1, rounds: 1 })).kind).toBe('unknown');
  });

  it('unwind further when more rounds lead to a cut', async () => {
    // The other thread comes first in a round, but waits for this one: only the second round shows a change.
    const { executed, outcome } = await follow(`${THREADS}
      void __VERIFIER_assume(int);
      int go, x;
      void *writer(void *u) { __VERIFIER_assume(go); x = 1; return 0; }
      void *reader(void *u) {
        int changes = 0, last = 0;
        go = 1;
        for (;;) {
          int now = x;
          if (now == last) break;
          last = now;
          changes++;
        }
        assert(changes == 0);
        return 0;
      }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, writer, 0);
        pthread_create(&b, 0, reader, 0);
        return 0;
      }`);
    expect(outcome).toBe('unsafe');
    expect(executed).toEqual([1, 2]);
  });
});

describe('when time is up', () => {
  it('a single round counts that came to an assertion, where no stage did', async () => {
    let now = 0;
    let asked: Stage = { unwind: 0, rounds: 0 };
    const outcome = await checkText(
      `${THREADS}
      unsigned __VERIFIER_nondet_uint(void);
      void __VERIFIER_assume(int);
      unsigned x;
      void *t(void *u) { x = __VERIFIER_nondet_uint(); return 0; }
      int main(void) {
        pthread_t a;
        unsigned n = __VERIFIER_nondet_uint();
        __VERIFIER_assume(n > 2);
        pthread_create(&a, 0, t, 0);
        for (unsigned i = 0; i < n; i++) if (x) x++;
        assert(x * x != 2);
        return 0;
      }`,
      {
        observer: {
          onFormula: (stage) => {
            asked = stage;
          },
        },
        environment: {
          clock: () => now,
          after: () => () => {},
          createIncrementalSolvers,
          createSolver: async () => {
            const solver = await createCadical({ seed: 1 });
            const solve: SatSolver['solve'] = async (assumptions) => {
              if (asked.unwind < 3 || asked.rounds === 1) return solver.solve(assumptions);
              now = Number.POSITIVE_INFINITY;
              return { kind: 'unknown', reason: 'interrupted' };
            };
            return {
              solve,
              addClauses: (clauses) => solver.addClauses(clauses),
              interrupt: () => solver.interrupt(),
              dispose: () => solver.dispose(),
            };
          },
        },
      },
    );
    expect(outcome).toMatchObject({ kind: 'bounded', bounds: { unwind: 3, rounds: 1 }, assertions: { reached: 1 } });
  });
});

describe('what cannot be followed', () => {
  it('ends the check where nothing but it ends executions', async () => {
    const stages: Stage[] = [];
    const outcome = await checkText(
      '#include <unistd.h>\nint main(void) { execl("/bin/true", "true", (char *)0); return 0; }',
      { observer: { onStage: (stage) => stages.push(stage) } },
    );
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported', reason: expect.stringContaining('execl') });
    expect(stages).toHaveLength(1);
  });

  it('is a call more deeply nested than the stack is large', async () => {
    const text = 'int deep(int a) { return deep(a); } int main(void) { return deep(1); }';
    expect(await checkText(text, { unwind: 100_000, rounds: 1 })).toMatchObject({ kind: 'unknown', cause: 'limit' });
    expect(await checkText(text, { unwind: 300, rounds: 1 })).toMatchObject({
      kind: 'bounded',
      bounds: { unwind: 300 },
    });
  });
});

describe('a proof beside the stages', () => {
  it('is taken although the questions of the stages never make anybody wait', async () => {
    const proof = { method: 'induction', claim: 'asked aside', invariant: null } as const;
    const stages: Stage[] = [];
    const wasm = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
    const code = compileSolver(readFileSync(wasm));
    let now = 0;
    const outcome = await checkText(
      `${THREADS}
      int x;
      void *t(void *u) { x = 1; return 0; }
      int main(void) {
        pthread_t a;
        for (;;) { pthread_create(&a, 0, t, 0); assert(x < 2); }
      }`,
      {
        timeLimitMs: 3_600_000,
        observer: { onStage: (stage) => stages.push(stage) },
        environment: {
          // Every look at the clock takes time.
          clock: () => (now += 10),
          after: (ms, action) => {
            const timer = setTimeout(action, ms);
            return () => clearTimeout(timer);
          },
          createIncrementalSolvers,
          createSolver: () => createCadical({ seed: 1, code }),
          // As from a worker: by a message, not by a promise that is kept at once.
          proveAside: () =>
            new Promise((resolve) => setTimeout(resolve, 0)).then(() => {
              return { kind: 'safe', engine: 'prove', bounds: NO_BOUNDS, proof };
            }),
        },
      },
    );
    expect(outcome).toMatchObject({ kind: 'safe', engine: 'prove', proof });
    expect(stages.every(({ unwind }) => unwind < 512)).toBe(true);
  });

  it('is asked for, and taken, in the middle of a symbolic execution', async () => {
    const proof = { method: 'induction', claim: 'asked aside', invariant: null } as const;
    const executed: number[] = [];
    let now = 0;
    let isProved = false;
    const outcome = await checkText('int x; int main(void) { for (int i = 0; i < 2000; i++) x += i; return x; }', {
      timeLimitMs: 3_600_000,
      observer: { onSteps: ({ unwind }) => executed.push(unwind) },
      environment: {
        clock: () => (now += 10),
        after: () => () => {},
        createIncrementalSolvers,
        createSolver: () => createCadical({ seed: 1 }),
        proveAside: async () => {
          isProved = true;
          // The message comes when this thread turns to it.
          await new Promise((resolve) => setTimeout(resolve, 0));
          return { kind: 'safe', engine: 'prove', bounds: NO_BOUNDS, proof };
        },
        isProved: () => isProved,
      },
    });
    expect(outcome).toMatchObject({ kind: 'safe', engine: 'prove', proof });
    expect(executed).toEqual([]);
  });
});

describe('what the bounded engine refuses', () => {
  it('is explored for as long as a proof is looked for', async () => {
    let now = 0;
    let explored = 0;
    let fail = () => {};
    const text = `
      int __VERIFIER_nondet_int(void);
      void *malloc(unsigned long);
      int main(void) {
        char *p;
        unsigned n = __VERIFIER_nondet_int();
        for (int i = 0; i < 80; i++) if (n > i) malloc(60);
        return n * n == 3 ? p[n] : 0;
      }`;
    const outcome = await checkText(text, {
      timeLimitMs: 3_600_000,
      explore: true,
      observer: { onTime: (work) => work === 'explore' && ++explored === 20 && fail() },
      environment: {
        clock: () => (now += 10),
        after: (ms, action) => {
          const timer = setTimeout(action, Math.min(ms, 1));
          return () => clearTimeout(timer);
        },
        createIncrementalSolvers,
        createSolver: () => createCadical({ seed: 1 }),
        proveAside: () =>
          new Promise((resolve) => {
            const common = { engine: 'prove', bounds: NO_BOUNDS, loc: null, attempts: [] } as const;
            fail = () => resolve({ kind: 'unknown', cause: 'limit', reason: 'no proof', ...common });
          }),
      },
    });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'unsupported' });
    expect(explored).toBeGreaterThanOrEqual(20);
    expect(explored).toBeLessThan(25);
  });
});

describe('a proof', () => {
  const main = (parameters: string, condition: string) =>
    `#include <assert.h>\nint main(${parameters}) { assert(${condition}); return 0; }`;

  it('is none where only some of the arguments of main were looked at', async () => {
    for (const condition of ['argc < 2 || argv[1][7] == 0', '&argv[0] != 0'])
      expect((await follow(main('int argc, char **argv', condition))).outcome, condition).toBe('bounded');
  });

  it('is about any number of arguments where none is looked at, or only to print it', async () => {
    expect((await follow(main('int argc, char **argv', 'argc < 4'))).outcome).toBe('unsafe');
    expect((await follow(main('int argc, char **argv', 'argc > 0'))).outcome).toBe('safe');
    const usage = (print: string) =>
      `#include <assert.h>\n#include <stdio.h>\n${print}
       int main(int argc, char **argv) { if (argc > 2) { fprintf(stderr, "%s", argv[0]); return 1; } assert(argc > 0); }`;
    expect((await follow(usage(''))).outcome).toBe('safe');
    const own = 'int fprintf(FILE *f, const char *t, ...) { return 0; }';
    expect((await follow(usage(own))).outcome).toBe('bounded');
    expect((await follow(main('int argc, char **argv', '1'))).outcome).toBe('safe');
    expect((await follow(main('void', '1'))).outcome).toBe('safe');
  });

  it('is none where environment variables were cut short', async () => {
    const own = 'char *getenv(const char *name) { return 0; }';
    const text = (definition: string) =>
      `#include <assert.h>\n#include <stdlib.h>\n${definition}\nint main(void) { assert(getenv("X") == 0 || 1); return 0; }`;
    expect((await follow(text(''))).outcome).toBe('bounded');
    expect((await follow(text(own))).outcome).toBe('safe');
  });

  it('is none, nor any other answer, while the solver does not say whether something unsupported is reached', async () => {
    const text = `#include <assert.h>
      unsigned long __VERIFIER_nondet_ulong(void);
      int main(void) {
        unsigned long n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong(), p = __VERIFIER_nondet_ulong();
        if ((n ^ m) == 0) if (n < 10) if (m > 20) *(char *)p = 1;
        return 0;
      }`;
    const giveUpAfter = (answers: number) =>
      checkText(text, {
        unwind: 1,
        rounds: 1,
        environment: {
          clock: () => performance.now(),
          after: () => () => {},
          createIncrementalSolvers,
          createSolver: async () => {
            const solver = await createCadical({ seed: 1 });
            let asked = 0;
            const solve: SatSolver['solve'] = async (assumptions) =>
              asked++ < answers ? solver.solve(assumptions) : { kind: 'unknown', reason: 'limit' };
            return {
              solve,
              addClauses: (clauses) => solver.addClauses(clauses),
              interrupt: () => solver.interrupt(),
              dispose: () => solver.dispose(),
            };
          },
        },
      });
    expect((await giveUpAfter(1)).kind).toBe('unknown');
    expect((await giveUpAfter(2)).kind).toBe('safe');
  });
});

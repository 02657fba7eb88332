/** Several threads that look for the same proof, each with attempts of its own. */

import { describe, expect, it } from 'vitest';
import { checkText } from '../../test/support/check-text.ts';
import { NO_BOUNDS, type Outcome, type Safe, type Unknown } from '../outcome/outcome.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { createIncrementalSolvers } from '../solver/incremental-cadical.ts';
import type { EngineHost } from './engine.ts';
import type { Searcher } from './prove/searcher.ts';

const THREADS = '#include <pthread.h>\n#include <assert.h>\n';
/** It is not so: each attempt ends soon. */
const UNPROVED = `${THREADS}
  unsigned __VERIFIER_nondet_uint(void);
  unsigned a, b;
  void *t(void *u) { for (;;) { a += __VERIFIER_nondet_uint(); b = a; } }
  int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); pthread_create(&x, 0, t, 0); for (;;) assert(b != 77); }`;
const PROVED = `${THREADS}
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  unsigned a, b;
  void *t(void *u) { for (;;) { pthread_mutex_lock(&m); a++; b++; assert(a == b); pthread_mutex_unlock(&m); } }
  int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); pthread_create(&x, 0, t, 0); for (;;); }`;

const FOUND: Safe = {
  ...{ kind: 'safe', engine: 'prove', bounds: NO_BOUNDS },
  proof: { method: 'induction', claim: 'found elsewhere', invariant: null },
};

/** A clock by which others are asked after a few looks. */
function environment(aside?: EngineHost['proveAside'], searcher: Searcher = { index: 0, of: 2 }): EngineHost {
  const start = performance.now();
  let looks = 0;
  return {
    clock: () => performance.now() - start + (looks++ < 20 ? 0 : 2_000),
    after: (ms, action) => {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
    createSolver: () => createCadical({ seed: 1 }),
    createIncrementalSolvers,
    ...(aside && { proveAside: aside }),
    searcher,
  };
}

const prove = (text: string, host: EngineHost) => checkText(text, { goal: 'proof', environment: host });
const triedBy = (outcome: Outcome) =>
  new Set((outcome as Unknown).attempts.map(({ reason }) => reason.slice(0, reason.indexOf(': '))));

describe('threads that look for one proof', () => {
  it('make all attempts between them, and none of them twice', async () => {
    const [all, first, second] = await Promise.all(
      [
        { index: 0, of: 1 },
        { index: 0, of: 2 },
        { index: 1, of: 2 },
      ].map(async (searcher) => triedBy(await prove(UNPROVED, environment(undefined, searcher)))),
    );
    expect(first?.size).toBeGreaterThan(0);
    expect(second?.size).toBeGreaterThan(0);
    expect([...(first ?? [])].filter((attempt) => second?.has(attempt))).toEqual([]);
    expect(new Set([...(first ?? []), ...(second ?? [])])).toEqual(all);
  }, 60_000);

  it('are asked by the first one only, and stop it when one of them has a proof', async () => {
    const asked: Searcher[] = [];
    let isProved = false;
    const host = environment(
      async (_timeLimitMs, searcher) => {
        asked.push(searcher as Searcher);
        isProved = true;
        return FOUND;
      },
      { index: 0, of: 3 },
    );
    expect(await prove(UNPROVED, { ...host, isProved: () => isProved })).toEqual(FOUND);
    expect(asked).toEqual([
      { index: 1, of: 3 },
      { index: 2, of: 3 },
    ]);
    asked.length = 0;
    await prove(UNPROVED, { ...host, searcher: { index: 1, of: 3 } });
    expect(asked).toEqual([]);
  }, 60_000);

  it('answer with the proof of whoever has one', async () => {
    const late = environment(() => new Promise((resolve) => setTimeout(() => resolve(FOUND), 50)));
    expect(await prove(UNPROVED, late)).toEqual(FOUND);
    const never = environment(() => new Promise(() => {}));
    expect(await prove(PROVED, never)).toMatchObject({ kind: 'safe', proof: { method: 'induction' } });
  }, 60_000);

  it('tell together what was tried where nobody has one', async () => {
    const attempts = [{ engine: 'prove', bounds: NO_BOUNDS, reason: 'by somebody else: in vain' }];
    const unknown = { kind: 'unknown', engine: 'prove', bounds: NO_BOUNDS, loc: null, attempts } as const;
    const host = environment(async () => ({ ...unknown, cause: 'nothing', reason: 'nothing was found' }));
    const outcome = (await prove(UNPROVED, host)) as Unknown;
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'nothing' });
    expect(triedBy(outcome).has('by somebody else')).toBe(true);
    expect(triedBy(outcome).size).toBeGreaterThan(1);
  }, 60_000);

  it('do not hide a fault of ours', async () => {
    const host = environment(() => Promise.reject(new Error('a proof is refuted by a concrete run')));
    await expect(prove(UNPROVED, host)).rejects.toThrow('refuted');
  }, 60_000);
});

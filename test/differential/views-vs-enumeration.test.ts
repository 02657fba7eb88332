// What the enumeration of states, and of views of threads of any number, proves by itself, enumeration of concrete
// states does not refute: random programs whose threads may be of any number, without the search for clauses, which
// proves most of them before. More programs with LAZULI_VIEWS_COUNT, others with LAZULI_VIEWS_SEED.

import { describe, expect, it } from 'vitest';
import { NotProvableError } from '../../src/engines/prove/graph.ts';
import { prepareModel } from '../../src/engines/prove/prepare-model.ts';
import { canSearchStates, hasFixedThreads, searchStates } from '../../src/engines/prove/search-states.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { CHECKS, enumerateAll, readCode } from '../support/agreement.ts';
import { MODEL } from '../support/model-options.ts';
import { randomCrowd } from '../support/random-crowds.ts';
import { randomReaders } from '../support/random-readers.ts';
import { randomSpinLocks } from '../support/random-spin-locks.ts';
import { randomTables } from '../support/random-tables.ts';
import { randomTickets } from '../support/random-tickets.ts';

const COUNT = Number(process.env.LAZULI_VIEWS_COUNT ?? 8);
const SEED = Number(process.env.LAZULI_VIEWS_SEED ?? 1);
const STATE_LIMIT = 4_000;
const TIME_LIMIT_MS = 4_000;

type Answer = 'proved' | 'open' | 'no views';

async function tryViews(text: string, locks: boolean): Promise<Answer> {
  const code = readCode(text, 'ILP32', { checks: CHECKS });
  const end = performance.now() + TIME_LIMIT_MS;
  const solvers = await createIncrementalSolvers(() => performance.now() > end);
  class LateError extends Error {}
  const poll = () => {
    if (performance.now() > end) throw new LateError();
  };
  try {
    const model = { ...MODEL, checks: CHECKS, replicate: true, locks, reduce: locks, poll };
    const prepared = prepareModel(code, model);
    if (!canSearchStates(prepared) || hasFixedThreads(prepared.model)) return 'no views';
    const questions = { solvers, isTimeUp: () => performance.now() > end };
    const found = searchStates(code, prepared, { model, questions, poll });
    if (found.kind === 'open') return 'open';
  } catch (error) {
    if (error instanceof NotProvableError || error instanceof LateError) return 'no views';
    throw error;
  }
  const refuted = enumerateAll(code, STATE_LIMIT, CHECKS).violations.map(({ check }) => check);
  const found = refuted.filter((check) => check !== 'unsupported');
  if (found.length > 0) expect.fail(`covered, but enumeration finds ${found.join(', ')}\n${text}`);
  return 'proved';
}

const MAKERS = [
  { name: 'crowds', make: randomCrowd, least: 0.1 },
  { name: 'readers and writers', make: randomReaders, least: 0.1 },
  { name: 'locks that are spun for', make: randomSpinLocks, least: 0 },
  { name: 'tables', make: randomTables, least: 0 },
  { name: 'tickets and turns', make: randomTickets, least: 0.3 },
] as const;

describe('what is covered by views, enumeration does not refute', () => {
  for (const { name, make, least } of MAKERS) {
    it(`in ${COUNT} random programs with ${name} (from seed ${SEED})`, {
      timeout: 60_000 + 10_000 * COUNT,
    }, async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + COUNT; seed++)
        if ((await tryViews(make(seed), seed % 2 === 0)) === 'proved') proofs++;
      expect(proofs).toBeGreaterThanOrEqual(Math.floor(least * COUNT));
    });
  }
});

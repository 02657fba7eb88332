// Nothing that enumeration refutes is ever proved: random programs with two or three threads, with loops, with threads
// of any number (of which enumeration sees few), and with threads that wait for one another. More programs with
// LAZULI_PROVE_COUNT, others with LAZULI_PROVE_SEED. With LAZULI_PROVE_REFUTED=1 enumeration comes first, and only what
// it refutes is tried, which is the shortest way through thousands of programs.

import { describe, expect, it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import type { Code } from '../../src/program/code.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { CHECKS, enumerateAll, readCode } from '../support/agreement.ts';
import { randomClaims } from '../support/random-claims.ts';
import { randomCrowdTotals } from '../support/random-crowd-totals.ts';
import { randomCrowd } from '../support/random-crowds.ts';
import { randomEndings } from '../support/random-endings.ts';
import { randomGrowth } from '../support/random-growth.ts';
import { randomJoins, randomKindsOfJoins } from '../support/random-joins.ts';
import { randomNodes } from '../support/random-nodes.ts';
import { randomPolls } from '../support/random-polls.ts';
import { randomReaders } from '../support/random-readers.ts';
import { randomSpinLocks } from '../support/random-spin-locks.ts';
import { randomTables } from '../support/random-tables.ts';
import { type RandomThreadsOptions, randomThreads } from '../support/random-threads.ts';
import { randomTotals } from '../support/random-totals.ts';
import { randomTurns } from '../support/random-turns.ts';
import { randomWaits } from '../support/random-waits.ts';

const COUNT = Number(process.env.LAZULI_PROVE_COUNT ?? 4);
/** Proofs that nobody is stuck take longer. */
const WAITING = Math.max(3, Math.ceil(COUNT / 4));
const SEED = Number(process.env.LAZULI_PROVE_SEED ?? 1);
const ONLY_REFUTED = process.env.LAZULI_PROVE_REFUTED === '1';
const STATE_LIMIT = 4_000;
const TIME_LIMIT_MS = 1_500;
const WAITING_LIMIT_MS = 2_500;
/** What two kinds of threads take. */
const KINDS_LIMIT_MS = Number(process.env.LAZULI_PROVE_KINDS_MS ?? 6_000);
/** States come after the first attempt. */
const GROWING_LIMIT_MS = 5_000;

const KINDS: readonly Partial<RandomThreadsOptions>[] = [
  {},
  { hasLibrary: true },
  { hasLifetimes: true },
  { hasBytes: true },
  { hasCuts: true },
  { hasSetup: true },
];

/** Whether it was proved; a proof that enumeration refutes is a failure, with the program. */
async function tryProof(
  text: string,
  seed: number,
  waits = seed % 2 !== 0,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<boolean> {
  const checks: ReadonlySet<CheckName> = waits ? new Set([...CHECKS, 'deadlock']) : CHECKS;
  const code = readCode(text, seed % 3 === 0 ? 'ILP32' : 'LP64', { checks, atomicStatements: seed % 5 === 0 });
  const environment = { clock: () => performance.now(), createSolvers: createIncrementalSolvers };
  const refuted = ONLY_REFUTED ? refute(code, checks) : null;
  if (refuted?.length === 0) return false;
  const outcome = await prove(code, { checks, timeLimitMs, ...(ONLY_REFUTED && { confirmMs: 0 }) }, environment);
  if (outcome.kind !== 'proved') return false;
  const found = refuted ?? refute(code, checks);
  if (found.length > 0) expect.fail(`seed ${seed}: proved, but enumeration finds ${found.join(', ')}\n${text}`);
  return true;
}

/** The checks that enumeration finds broken. */
function refute(code: Code, checks: ReadonlySet<CheckName>): CheckName[] {
  const { violations } = enumerateAll(code, STATE_LIMIT, checks);
  return violations.map(({ check }) => check).filter((check) => check !== 'unsupported');
}

interface Campaign {
  readonly name: string;
  readonly make: (seed: number) => string;
  readonly count: number;
  /** So many have to be proved, at least. */
  readonly least: number;
  /** Whether deadlocks are excluded as well; without it, of every other program. */
  readonly deadlocks?: boolean;
  readonly limitMs?: number;
}

const LONGER = { count: WAITING, least: 1, deadlocks: false, limitMs: WAITING_LIMIT_MS } as const;

const CAMPAIGNS: readonly Campaign[] = [
  {
    name: 'random programs',
    make: (seed) => randomThreads({ seed, size: 2, ...KINDS[seed % KINDS.length] }),
    count: COUNT,
    least: 1 + COUNT / 10,
  },
  { name: 'random programs with any number of threads', make: randomCrowd, count: COUNT, least: 1 + COUNT / 5 },
  {
    name: 'random programs with readers and writers',
    make: randomReaders,
    count: WAITING,
    least: 0,
    limitMs: WAITING_LIMIT_MS,
  },
  {
    name: 'random programs that join threads in loops',
    make: randomJoins,
    ...LONGER,
    // Of fewer, none may be proved.
    count: Math.max(5, WAITING),
    least: Math.max(1, WAITING / 25),
  },
  {
    name: 'random programs that join two kinds of threads in loops',
    make: randomKindsOfJoins,
    ...LONGER,
    count: Math.ceil(WAITING / 2),
    least: 0,
    limitMs: KINDS_LIMIT_MS,
  },
  {
    name: 'random programs whose threads add up',
    make: randomTotals,
    ...LONGER,
    // One in five, with more time than there is here.
    least: WAITING / 25,
    limitMs: GROWING_LIMIT_MS,
  },
  {
    name: 'random programs whose threads of any number add up',
    make: randomCrowdTotals,
    ...LONGER,
    count: Math.ceil(WAITING / 2),
    least: WAITING / 25,
    limitMs: KINDS_LIMIT_MS,
  },
  { name: 'random programs that allocate in loops', make: randomNodes, ...LONGER },
  { name: 'random programs with tables of like elements', make: randomTables, count: COUNT, least: 1 + COUNT / 20 },
  { name: 'random programs whose variables grow', make: randomGrowth, ...LONGER, limitMs: GROWING_LIMIT_MS },
  // Most of them get stuck, too.
  { name: 'random programs whose threads end in odd ways', make: randomEndings, ...LONGER, least: 0, deadlocks: true },
  { name: 'random programs whose locals end before their users', make: randomEndings, ...LONGER },
  { name: 'random programs with loops without end', make: randomPolls, ...LONGER, least: 0, deadlocks: true },
  { name: 'random programs with locks that are spun for', make: randomSpinLocks, ...LONGER, deadlocks: true },
  { name: 'random programs whose loops count', make: randomTurns, ...LONGER, deadlocks: true },
  { name: 'random programs whose threads claim things', make: randomClaims, ...LONGER, deadlocks: true },
  // Most of them get stuck.
  { name: 'random programs whose threads wait', make: randomWaits, ...LONGER, deadlocks: true },
];

describe('what is proved, enumeration does not refute', () => {
  for (const { name, make, count, least, deadlocks, limitMs } of CAMPAIGNS) {
    it(`in ${count} ${name} (from seed ${SEED})`, { timeout: 60_000 + 12_000 * COUNT }, async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + count; seed++)
        if (await tryProof(make(seed), seed, deadlocks, limitMs)) proofs++;
      expect(proofs).toBeGreaterThanOrEqual(ONLY_REFUTED ? 0 : Math.floor(least));
    });
  }
});

// Nothing that enumeration refutes is ever proved: random programs with two or three threads, with loops, with threads
// of any number (of which enumeration sees few), and with threads that wait for one another. More programs with
// LAZULI_PROVE_COUNT, others with LAZULI_PROVE_SEED.

import { describe, expect, it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { CHECKS, enumerateAll, readCode } from '../support/agreement.ts';
import { randomCrowd } from '../support/random-crowds.ts';
import { randomGrowth } from '../support/random-growth.ts';
import { randomJoins } from '../support/random-joins.ts';
import { randomNodes } from '../support/random-nodes.ts';
import { randomTables } from '../support/random-tables.ts';
import { type RandomThreadsOptions, randomThreads } from '../support/random-threads.ts';
import { randomWaits } from '../support/random-waits.ts';

const COUNT = Number(process.env.LAZULI_PROVE_COUNT ?? 14);
/** Proofs that nobody is stuck take longer. */
const WAITING = Math.max(10, Math.ceil(COUNT / 4));
const SEED = Number(process.env.LAZULI_PROVE_SEED ?? 1);
const STATE_LIMIT = 4_000;
const TIME_LIMIT_MS = 1_500;
const WAITING_LIMIT_MS = 2_500;
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
  const outcome = await prove(code, { checks, timeLimitMs }, environment);
  if (outcome.kind !== 'proved') return false;
  const { violations } = enumerateAll(code, STATE_LIMIT, checks);
  const found = violations.filter(({ check }) => check !== 'unsupported').map(({ check }) => check);
  if (found.length > 0) expect.fail(`seed ${seed}: proved, but enumeration finds ${found.join(', ')}\n${text}`);
  return true;
}

async function countProofs(make: (seed: number) => string): Promise<number> {
  let proofs = 0;
  for (let seed = SEED; seed < SEED + COUNT; seed++) if (await tryProof(make(seed), seed)) proofs++;
  return proofs;
}

describe('what is proved, enumeration does not refute', () => {
  it(
    `in ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const make = (seed: number) => randomThreads({ seed, size: 2, ...KINDS[seed % KINDS.length] });
      expect(await countProofs(make)).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 6_000 * COUNT,
  );

  it(
    `in ${COUNT} random programs with any number of threads (from seed ${SEED})`,
    async () => {
      expect(await countProofs(randomCrowd)).toBeGreaterThan(COUNT / 5);
    },
    60_000 + 6_000 * COUNT,
  );

  it(
    `in ${WAITING} random programs that join threads in loops (from seed ${SEED})`,
    async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + WAITING; seed++)
        if (await tryProof(randomJoins(seed), seed, false, WAITING_LIMIT_MS)) proofs++;
      // One in ten, or fewer where the machine is busy.
      expect(proofs).toBeGreaterThanOrEqual(Math.floor(WAITING / 25));
    },
    60_000 + 12_000 * WAITING,
  );

  it(
    `in ${WAITING} random programs that allocate in loops (from seed ${SEED})`,
    async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + WAITING; seed++)
        if (await tryProof(randomNodes(seed), seed, false, WAITING_LIMIT_MS)) proofs++;
      expect(proofs).toBeGreaterThan(0);
    },
    60_000 + 12_000 * WAITING,
  );

  it(
    `in ${COUNT} random programs with tables whose elements are not told apart (from seed ${SEED})`,
    async () => {
      expect(await countProofs(randomTables)).toBeGreaterThan(COUNT / 20);
    },
    60_000 + 6_000 * COUNT,
  );

  it(
    `in ${WAITING} random programs whose variables grow (from seed ${SEED})`,
    async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + WAITING; seed++)
        if (await tryProof(randomGrowth(seed), seed, false, GROWING_LIMIT_MS)) proofs++;
      expect(proofs).toBeGreaterThan(0);
    },
    60_000 + 12_000 * WAITING,
  );

  it(
    `in ${WAITING} random programs whose threads wait (from seed ${SEED})`,
    async () => {
      let proofs = 0;
      for (let seed = SEED; seed < SEED + WAITING; seed++)
        if (await tryProof(randomWaits(seed), seed, true, WAITING_LIMIT_MS)) proofs++;
      // Most of them get stuck.
      expect(proofs).toBeGreaterThan(0);
    },
    60_000 + 12_000 * WAITING,
  );
});

// Data races: what the engines over steps find or exclude against explicit enumeration with vector clocks, on small
// random programs. More of them with LAZULI_RACES_COUNT, others with LAZULI_RACES_SEED; what differs is shrunk.

import { describe, expect, it } from 'vitest';
import { prove } from '../../src/engines/prove/prove.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { type Agreement, compareWithEnumeration, enumerateAll, readCode } from '../support/agreement.ts';
import { randomOrders, randomRaces } from '../support/random-races.ts';
import { randomThreads } from '../support/random-threads.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.LAZULI_RACES_COUNT ?? 9);
const SEED = Number(process.env.LAZULI_RACES_SEED ?? 1);

const CHECK_SETS: readonly (readonly CheckName[])[] = [
  ['race'],
  ['race'],
  ['race', 'pointer', 'free'],
  ['race', 'deadlock'],
];

const KINDS = [{}, { hasLibrary: true }, { hasLifetimes: true }, { hasBytes: true }] as const;

/** Most of them are made for races, some for memory orders; some are what other engines are compared on. */
function makeProgram(seed: number): string {
  if (seed % 4 === 2) return randomOrders(seed);
  return seed % 4 === 3 ? randomThreads({ seed, size: 2, ...KINDS[(seed >> 2) % KINDS.length] }) : randomRaces(seed);
}

async function compare(seed: number, text: string): Promise<Agreement> {
  try {
    const checks = new Set(CHECK_SETS[(seed >> 2) % CHECK_SETS.length]);
    const dataModel = seed % 3 === 0 ? 'ILP32' : 'LP64';
    return await compareWithEnumeration(text, { checks, dataModel, rounds: 3 + (seed % 4), stateLimit: 4000 });
  } catch (fault) {
    return { kind: 'skipped', message: `no program: ${fault}` };
  }
}

describe('races by the engines and by explicit enumeration', () => {
  it(
    `agree on ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = makeProgram(seed);
        const agreement = await compare(seed, text);
        counts[agreement.kind]++;
        if (agreement.kind === 'skipped') expect(agreement.message).not.toContain('no program');
        if (agreement.kind !== 'differ') continue;
        const small = await shrink(text, async (each) => (await compare(seed, each)).kind === 'differ', 300);
        expect.fail(`seed ${seed}: ${agreement.message}\n${small}`);
      }
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 5_000 * COUNT,
  );
});

describe('a proof that there are no races', () => {
  it(
    `is never refuted by enumeration, in ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const checks = new Set<CheckName>(['race']);
      const environment = { clock: () => performance.now(), createSolvers: createIncrementalSolvers };
      let proofs = 0;
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomRaces(seed, 2);
        const code = readCode(text, seed % 2 === 0 ? 'ILP32' : 'LP64', { checks });
        const outcome = await prove(code, { checks, timeLimitMs: 20_000 }, environment);
        if (outcome.kind !== 'proved') continue;
        proofs++;
        const { violations } = enumerateAll(code, 4000, checks);
        if (violations.length > 0) expect.fail(`seed ${seed}: proved, but enumeration finds a race\n${text}`);
      }
      expect(proofs).toBeGreaterThan(COUNT / 5);
    },
    60_000 + 20_000 * COUNT,
  );
});

// Programs whose threads spin, random ones: what the engines leave out of them (execute/idle-turns.ts) changes no
// answer. Enumeration takes every turn and remembers states, so that it needs no bound. More of them with
// LAZULI_SPINS_COUNT, others with LAZULI_SPINS_SEED.

import { describe, expect, it } from 'vitest';
import type { CheckName } from '../../src/program/check-names.ts';
import { type Agreement, CHECKS, compareWithEnumeration } from '../support/agreement.ts';
import { randomThreads } from '../support/random-threads.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.LAZULI_SPINS_COUNT ?? 15);
const SEED = Number(process.env.LAZULI_SPINS_SEED ?? 1);

/** Little besides, so that most programs get to their end. */
const FEATURES = {
  widths: false,
  assumptions: false,
  barriers: false,
  conditions: false,
  semaphores: false,
  heap: false,
  unions: false,
  recursion: false,
  exits: false,
};

const CHECK_SETS: readonly (readonly CheckName[])[] = [['assertion'], [...CHECKS], ['deadlock', 'assertion']];

async function compare(seed: number, text: string): Promise<Agreement> {
  const checks = new Set(CHECK_SETS[seed % CHECK_SETS.length]);
  try {
    return await compareWithEnumeration(text, { checks, stateLimit: 4000, rounds: 5, unwind: 3 });
  } catch (fault) {
    return { kind: 'skipped', message: `no program: ${fault}` };
  }
}

describe('threads that spin', () => {
  it(
    `are followed to their end in ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomThreads({ seed, size: 2 + (seed % 2), hasSpins: true, features: FEATURES });
        const agreement = await compare(seed, text);
        counts[agreement.kind]++;
        if (agreement.kind === 'skipped') expect(agreement.message).not.toContain('no program');
        if (agreement.kind !== 'differ') continue;
        const small = await shrink(text, async (each) => (await compare(seed, each)).kind === 'differ', 300);
        expect.fail(`seed ${seed}: ${agreement.message}\n${small}`);
      }
      if (process.env.LAZULI_SPINS_COUNT) console.log(counts);
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 20_000 * COUNT,
  );
});

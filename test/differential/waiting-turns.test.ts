// Random programs whose threads wait for one another, with and without deadlocks among what is looked for: that turns
// of loops around condition variables are left out (execute/waiting-turns.ts) changes no answer. Enumeration takes
// every turn and remembers states. More of them with LAZULI_WAITS_COUNT, others with LAZULI_WAITS_SEED.

import { describe, expect, it } from 'vitest';
import type { CheckName } from '../../src/program/check-names.ts';
import { type Agreement, compareWithEnumeration } from '../support/agreement.ts';
import { randomWaits } from '../support/random-waits.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.LAZULI_WAITS_COUNT ?? 15);
const SEED = Number(process.env.LAZULI_WAITS_SEED ?? 1);

const CHECK_SETS: readonly (readonly CheckName[])[] = [['assertion'], ['assertion', 'deadlock', 'mutex']];

function compare(seed: number, text: string): Promise<Agreement> {
  const checks = new Set(CHECK_SETS[seed % CHECK_SETS.length]);
  return compareWithEnumeration(text, { checks, stateLimit: 4000, rounds: 5, unwind: 3 });
}

describe('threads that wait for conditions', () => {
  it(
    `are followed to their end in ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomWaits(seed);
        const agreement = await compare(seed, text);
        counts[agreement.kind]++;
        if (agreement.kind !== 'differ') continue;
        const small = await shrink(text, async (each) => (await compare(seed, each)).kind === 'differ', 300);
        expect.fail(`seed ${seed}: ${agreement.message}\n${small}`);
      }
      if (process.env.LAZULI_WAITS_COUNT) console.log(counts);
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 20_000 * COUNT,
  );
});

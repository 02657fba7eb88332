// The embedded engine against explicit enumeration of all interleavings, on small random programs, and against concrete
// runs on larger ones. More random programs with LAZULI_THREADS_COUNT, others with LAZULI_THREADS_SEED; what differs is
// shrunk and shown.

import { describe, expect, it } from 'vitest';
import { type Agreement, compareWithEnumeration, compareWithRuns } from '../support/agreement.ts';
import { randomThreads } from '../support/random-threads.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.LAZULI_THREADS_COUNT ?? 30);
const SEED = Number(process.env.LAZULI_THREADS_SEED ?? 1);
const STATE_LIMIT = 1500;

async function compare(text: string): Promise<Agreement> {
  try {
    return await compareWithEnumeration(text, { stateLimit: STATE_LIMIT });
  } catch (fault) {
    return { kind: 'skipped', message: `no program: ${fault}` };
  }
}

/** What differs, as a message with the smallest program that shows it. */
async function describeDifference(seed: number, text: string, message: string): Promise<string> {
  const small = await shrink(text, async (candidate) => (await compare(candidate)).kind === 'differ', 300);
  return `seed ${seed}: ${message}\n${small}`;
}

describe('the engine and explicit enumeration', () => {
  it(
    `agree on ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomThreads({ seed, size: 3, hasLibrary: seed % 2 === 0 });
        const agreement = await compare(text);
        counts[agreement.kind]++;
        if (agreement.kind === 'skipped') expect(agreement.message).not.toContain('no program');
        if (agreement.kind === 'differ') expect.fail(await describeDifference(seed, text, agreement.message));
      }
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 5_000 * COUNT,
  );
});

describe('the engine and concrete runs', () => {
  it(
    `agree on ${COUNT} larger random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomThreads({ seed, size: 5 });
        const agreement = await compareWithRuns(text, { dataModel: seed % 2 === 0 ? 'ILP32' : 'LP64' });
        counts[agreement.kind]++;
        if (agreement.kind === 'differ') expect.fail(`seed ${seed}: ${agreement.message}\n${text}`);
      }
      expect(counts.unsafe).toBeGreaterThan(COUNT / 5);
    },
    60_000 + 5_000 * COUNT,
  );
});

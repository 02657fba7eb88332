// Data races against ThreadSanitizer: what it reports of random programs that run natively, we report, too. More
// programs with LAZULI_SANITIZER_COUNT, others with LAZULI_SANITIZER_SEED.

import { afterAll, describe, expect, it } from 'vitest';
import { checkText, violatedCheck } from '../support/check-text.ts';
import { makeFolder } from '../support/gcc.ts';
import { randomRaces } from '../support/random-races.ts';
import { sanitizerReports } from '../support/thread-sanitizer.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_SANITIZER_COUNT ?? 4);
const SEED = Number(process.env.LAZULI_SANITIZER_SEED ?? 5);
const RUNS = 3;

const { folder, remove } = makeFolder();
afterAll(remove);

describe('what ThreadSanitizer reports', () => {
  it(
    `is reported for ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const gcc = requireTool('gcc');
      if (gcc === null) return;
      const counts = { reported: 0, silent: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = randomRaces(seed);
        const reports = sanitizerReports({ gcc, folder, text, runs: RUNS });
        expect(reports, `seed ${seed} compiles`).not.toBeNull();
        counts[reports ? 'reported' : 'silent']++;
        if (!reports) continue;
        const outcome = await checkText(text, { checks: ['race'], withoutChecks: NO_OTHERS, explore: true });
        if (violatedCheck(outcome) !== 'race') expect.fail(`seed ${seed}: ${outcome.kind}\n${text}`);
      }
      if (process.env.LAZULI_SANITIZER_COUNT) console.log(counts);
      expect(counts.reported).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 20_000 * COUNT,
  );
});

/** A violation of another check might come first. */
const NO_OTHERS = ['deadlock', 'mutex', 'thread', 'pointer', 'free', 'bounds', 'assertion'] as const;

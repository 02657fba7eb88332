// Small random concurrent programs run natively, with real threads: whatever values they end with, some interleaving of
// the verified program ends with them, too. This is the one comparison in which the models of library routines have a
// judge. More programs with LAZULI_NATIVE_COUNT, others with LAZULI_NATIVE_SEED.

import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/gcc.ts';
import { compareWithNativeRuns } from '../support/native-outcomes.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_NATIVE_COUNT ?? 5);
const SEED = Number(process.env.LAZULI_NATIVE_SEED ?? 1);
const KINDS = [{ hasLibrary: true }, { hasLifetimes: true }, { hasBytes: true }, {}] as const;

const { folder, remove } = makeFolder();
afterAll(remove);

describe('native runs', () => {
  it(`end as some interleaving of ${COUNT} random programs does (from seed ${SEED})`, {
    timeout: 60_000 + 10_000 * COUNT,
  }, async () => {
    const gcc = requireTool('gcc');
    if (gcc === null) return;
    let confirmed = 0;
    for (let seed = SEED; seed < SEED + COUNT; seed++) {
      const program = { seed, size: 2, ...KINDS[seed % KINDS.length] };
      const result = await compareWithNativeRuns({ gcc, folder, program, runs: 6, stateLimit: 3000 });
      if (result.kind === 'differ') expect.fail(`seed ${seed}: ${result.message}`);
      if (result.kind === 'compared') confirmed += result.confirmed;
    }
    expect(confirmed).toBeGreaterThan(COUNT / 4);
  });
});

// The free order under weak memory: commits are events of their own. Against what is known of litmus tests, against the
// oracle on random ones, and against enumeration with buffers on random programs. More of them with LAZULI_LITMUS_COUNT
// and LAZULI_THREADS_COUNT, others with LAZULI_LITMUS_SEED and LAZULI_THREADS_SEED.

import { describe, expect, it } from 'vitest';
import { isWeak, type MemoryModel, memoryModels } from '../../src/program/memory-model.ts';
import { createRandom } from '../../src/support/random.ts';
import { CHECKS, readCode } from '../support/agreement.ts';
import { CLASSICAL } from '../support/classical-litmus.ts';
import { emitLitmus, isAllowed, type Litmus } from '../support/litmus.ts';
import { randomLitmus } from '../support/random-litmus.ts';
import { findsInOrder } from '../support/weak-agreement.ts';

const COUNT = Number(process.env.LAZULI_LITMUS_COUNT ?? 4);
const SEED = Number(process.env.LAZULI_LITMUS_SEED ?? 1);

/** `roads`: with and without reductions, and the reference; or the first of them alone. */
async function modelsThatAllow(litmus: Litmus, models: readonly MemoryModel[], roads: 'all' | 'first') {
  const code = readCode(emitLitmus(litmus));
  const found: string[] = [];
  for (const model of models) if (await findsInOrder(code, model, 1, CHECKS, roads)) found.push(model);
  return found;
}

describe('the free order under weak memory', () => {
  it.each(CLASSICAL)('$name', async (litmus) => {
    const weak = memoryModels.filter(isWeak);
    const expected = litmus.allowed.filter((model) => isWeak(model));
    expect(await modelsThatAllow(litmus, weak, 'first')).toEqual(expected);
  });

  it('agrees with the oracle on random litmus tests', { timeout: 60_000 + 2_000 * COUNT }, async () => {
    for (let at = 0; at < COUNT; at++) {
      const seed = SEED * 100_000 + at;
      const litmus = randomLitmus(createRandom(seed), at % 3 === 2);
      const expected = memoryModels.filter((model) => isAllowed(litmus, model));
      const shown = `seed ${seed}: ${JSON.stringify(litmus)}`;
      expect(await modelsThatAllow(litmus, memoryModels, 'all').catch((error) => String(error)), shown).toEqual(
        expected,
      );
    }
  });
});

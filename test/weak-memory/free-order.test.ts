// The free order under weak memory: commits are events of their own. Against what is known of litmus tests, against the
// oracle on random ones, and against enumeration with buffers on random programs. More of them with LAZULI_LITMUS_COUNT
// and LAZULI_THREADS_COUNT, others with LAZULI_LITMUS_SEED and LAZULI_THREADS_SEED.

import { describe, expect, it } from 'vitest';
import { memoryModels } from '../../src/program/memory-model.ts';
import { createRandom } from '../../src/support/random.ts';
import { readCode } from '../support/agreement.ts';
import { CLASSICAL } from '../support/classical-litmus.ts';
import { emitLitmus, isAllowed, type Litmus } from '../support/litmus.ts';
import { randomLitmus } from '../support/random-litmus.ts';
import { findsInOrder } from '../support/weak-agreement.ts';

const COUNT = Number(process.env.LAZULI_LITMUS_COUNT ?? 12);
const SEED = Number(process.env.LAZULI_LITMUS_SEED ?? 1);

async function modelsThatAllow(litmus: Litmus) {
  const code = readCode(emitLitmus(litmus));
  const found: string[] = [];
  for (const model of memoryModels) if (await findsInOrder(code, model)) found.push(model);
  return found;
}

describe('the free order under weak memory', () => {
  it.each(CLASSICAL)('$name', async (litmus) => {
    expect(await modelsThatAllow(litmus)).toEqual(litmus.allowed);
  });

  it('agrees with the oracle on random litmus tests', { timeout: 60_000 + 2_000 * COUNT }, async () => {
    for (let at = 0; at < COUNT; at++) {
      const seed = SEED * 100_000 + at;
      const litmus = randomLitmus(createRandom(seed), at % 3 === 2);
      const expected = memoryModels.filter((model) => isAllowed(litmus, model));
      const shown = `seed ${seed}: ${JSON.stringify(litmus)}`;
      expect(await modelsThatAllow(litmus).catch((error) => String(error)), shown).toEqual(expected);
    }
  });
});

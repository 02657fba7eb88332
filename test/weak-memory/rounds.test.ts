// The bounded engine under weak memory, against what is known of litmus tests, and against the oracle on random ones.
// More of them with LAZULI_LITMUS_COUNT, others with LAZULI_LITMUS_SEED.

import { describe, expect, it } from 'vitest';
import { memoryModels } from '../../src/program/memory-model.ts';
import { createRandom } from '../../src/support/random.ts';
import { readCode } from '../support/agreement.ts';
import { CLASSICAL } from '../support/classical-litmus.ts';
import { emitLitmus, isAllowed, type Litmus } from '../support/litmus.ts';
import { randomLitmus } from '../support/random-litmus.ts';
import { findsInRounds } from '../support/weak-agreement.ts';

/** Enough for all that such short threads can do, by experience. */
const ROUNDS = 5;

const COUNT = Number(process.env.LAZULI_LITMUS_COUNT ?? 12);
const SEED = Number(process.env.LAZULI_LITMUS_SEED ?? 1);

async function modelsThatAllow(litmus: Litmus) {
  const code = readCode(emitLitmus(litmus));
  const found: string[] = [];
  for (const model of memoryModels) if (await findsInRounds(code, model, ROUNDS)) found.push(model);
  return found;
}

describe('rounds under weak memory', () => {
  it.each(CLASSICAL)('$name', async (litmus) => {
    expect(await modelsThatAllow(litmus)).toEqual(litmus.allowed);
  });

  it('let a store arrive in the middle of a turn of another thread', async () => {
    const start = 'int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); }';
    const programOf = (two: string) =>
      readCode(`#include <assert.h>
#include <pthread.h>
int x;
void *one(void *unused) { x = 1; return 0; }
void *two(void *unused) { ${two} return 0; }
${start}`);
    for (const two of ['int a = x, b = x; assert(a || !b);', 'x = 2; assert(x == 2);']) {
      expect(await findsInRounds(programOf(two), 'sc', 1)).toBe(false);
      expect(await findsInRounds(programOf(two), 'tso', 1)).toBe(true);
    }
  });

  it('agree with the oracle on random litmus tests', { timeout: 60_000 + 2_000 * COUNT }, async () => {
    for (let at = 0; at < COUNT; at++) {
      const seed = SEED * 100_000 + at;
      const litmus = randomLitmus(createRandom(seed), at % 3 === 2);
      const expected = memoryModels.filter((model) => isAllowed(litmus, model));
      const shown = `seed ${seed}: ${JSON.stringify(litmus)}`;
      expect(await modelsThatAllow(litmus).catch((error) => String(error)), shown).toEqual(expected);
    }
  });
});

// Weak memory from C to C: CBMC's answers, confirmed by the interpreter with the stores that reach memory late, against
// what is known of litmus tests, against their oracle on random ones, and against enumeration with buffers on random
// programs. More of them with LAZULI_LITMUS_COUNT and LAZULI_THREADS_COUNT, others with LAZULI_LITMUS_SEED and
// LAZULI_THREADS_SEED; all of the literature with LAZULI_ALL_PROGRAMS=1.

import { describe, expect, it } from 'vitest';
import { enumerate } from '../../src/engines/explore/enumerate.ts';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { createRandom } from '../../src/support/random.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import type { InputRequest } from '../../src/trace/interpreter/state.ts';
import { INPUT_DOMAIN, readCode } from '../support/agreement.ts';
import { checkByCbmc } from '../support/check-by-cbmc.ts';
import { CLASSICAL } from '../support/classical-litmus.ts';
import { emitLitmus, isAllowed, type Litmus } from '../support/litmus.ts';
import { randomLitmus } from '../support/random-litmus.ts';
import { type RandomThreadsOptions, randomThreads } from '../support/random-threads.ts';
import { requireTool } from '../support/tools.ts';

const LITMUS_COUNT = Number(process.env.LAZULI_LITMUS_COUNT ?? 3);
const LITMUS_SEED = Number(process.env.LAZULI_LITMUS_SEED ?? 1);
const THREADS_COUNT = Number(process.env.LAZULI_THREADS_COUNT ?? 3);
const THREADS_SEED = Number(process.env.LAZULI_THREADS_SEED ?? 1);
const STATE_LIMIT = 2_500;

/** Those in which something else is to be written each time. */
const SAMPLE: ReadonlySet<string> = new Set([
  'SB',
  'SB+fence+po',
  'SB+sc',
  'SB+rfi (n7)',
  'MP+release fence',
  'MP+release store first',
  'R+po+fence',
  'MP of overlapping stores',
  'own byte over the rest of memory',
]);
const CHOSEN = CLASSICAL.filter(({ name }) => process.env.LAZULI_ALL_PROGRAMS === '1' || SAMPLE.has(name));

/** Rounds that are enough for most, and for all. */
async function isFound(text: string, model: MemoryModel, schema: string, expected: boolean): Promise<boolean | string> {
  for (const rounds of expected ? [3, 6] : [4]) {
    const verdict = await checkByCbmc(text, model, rounds, { schema });
    if (verdict === 'unsafe') return true;
    if (!verdict.startsWith('safe')) return verdict;
  }
  return false;
}

async function expectLitmus(litmus: Litmus, schema: string, models: readonly MemoryModel[], shown: string) {
  const text = emitLitmus(litmus);
  for (const model of models) {
    const isPossible = isAllowed(litmus, model);
    expect(await isFound(text, model, schema, isPossible), `${shown}, ${model}, ${schema}`).toBe(isPossible);
  }
}

function domain({ instruction }: InputRequest) {
  const values = instruction.isBool ? [0, 1] : instruction.source.includes('nondet') ? INPUT_DOMAIN : [0];
  return instruction.type.kind === 'integer' && instruction.type.bits === 64 ? values.map(BigInt) : values;
}

const KINDS: readonly Partial<RandomThreadsOptions>[] = [
  {},
  { hasLibrary: true },
  { hasLifetimes: true },
  { hasBytes: true },
];

/** `skipped` when there are too many states, or the check is refused. */
async function compare(text: string, memoryModel: MemoryModel, schema: string): Promise<string> {
  const defines = ['__LAZULI_WEAK_MEMORY=1'];
  const code = readCode(text, 'ILP32', { checks: new Set(['assertion']), defines });
  const options = {
    checks: new Set(['assertion'] as const),
    stateLimit: STATE_LIMIT,
    stopAtFirst: true,
    domain,
    memoryModel,
  };
  const truth = enumerate(compileProgram(code), options);
  const isUnsafe = truth.violations.length > 0;
  if ((!truth.isComplete && !isUnsafe) || truth.readsIndeterminate) return 'skipped';
  for (const rounds of isUnsafe ? [3, 6] : [4]) {
    const verdict = await checkByCbmc(text, memoryModel, rounds, { schema, unwind: 4 });
    if (verdict === 'unsafe') return isUnsafe ? 'same' : 'CBMC finds what is not there';
    if (!verdict.startsWith('safe')) return /^refused|time|not supported/.test(verdict) ? 'skipped' : verdict;
  }
  return isUnsafe ? 'CBMC finds nothing' : 'same';
}

describe('weak memory with CBMC', () => {
  it.each(CHOSEN)('$name', async (litmus) => {
    if (requireTool('cbmc') === null) return;
    await expectLitmus(litmus, 'lazy2', ['tso', 'pso'], litmus.name);
  });

  it('agrees with the oracle on random litmus tests', { timeout: 60_000 + 20_000 * LITMUS_COUNT }, async () => {
    if (requireTool('cbmc') === null) return;
    for (let at = 0; at < LITMUS_COUNT; at++) {
      const seed = LITMUS_SEED * 100_000 + at;
      const litmus = randomLitmus(createRandom(seed), at % 3 === 2);
      const shown = `seed ${seed}: ${JSON.stringify(litmus)}`;
      await expectLitmus(litmus, at % 4 === 1 ? 'cav14' : 'lazy2', ['tso', 'pso'], shown);
    }
  });

  it('agrees with enumeration on random programs', { timeout: 60_000 + 60_000 * THREADS_COUNT }, async () => {
    if (requireTool('cbmc') === null) return;
    let compared = 0;
    for (let at = 0; at < THREADS_COUNT; at++) {
      const seed = 10_000 * THREADS_SEED + at;
      const text = randomThreads({ seed, size: 4, ...KINDS[at % KINDS.length] });
      const model = at % 2 === 0 ? 'tso' : 'pso';
      const answer = await compare(text, model, at % 4 === 3 ? 'cav14' : 'lazy2');
      expect(['same', 'skipped'], `seed ${seed}, ${model}: ${answer}\n${text}`).toContain(answer);
      if (answer === 'same') compared++;
    }
    expect(compared).toBeGreaterThan(THREADS_COUNT / 8);
  });
});

// The engines of rounds and of the free order against explicit enumeration with buffers, on small random programs with
// pointers, allocations, locks and atomics. More of them with LAZULI_THREADS_COUNT, others with LAZULI_THREADS_SEED.

import { expect, it } from 'vitest';
import { enumerate } from '../../src/engines/explore/enumerate.ts';
import type { MemoryModel } from '../../src/program/memory-model.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import type { InputRequest } from '../../src/trace/interpreter/state.ts';
import { CHECKS, INPUT_DOMAIN, readCode } from '../support/agreement.ts';
import { type RandomThreadsOptions, randomThreads } from '../support/random-threads.ts';
import { findsInOrder, findsInRounds } from '../support/weak-agreement.ts';

const COUNT = Number(process.env.LAZULI_THREADS_COUNT ?? 8);
const SEED = Number(process.env.LAZULI_THREADS_SEED ?? 1);
const STATE_LIMIT = 2_500;
const WITH_DEADLOCKS: typeof CHECKS = new Set([...CHECKS, 'deadlock']);

const KINDS: readonly Partial<RandomThreadsOptions>[] = [
  {},
  { hasLibrary: true },
  { hasLifetimes: true },
  { hasBytes: true },
  { hasSpins: true },
];

function domain({ instruction }: InputRequest) {
  const values = instruction.isBool ? [0, 1] : instruction.source.includes('nondet') ? INPUT_DOMAIN : [0];
  return instruction.type.kind === 'integer' && instruction.type.bits === 64 ? values.map(BigInt) : values;
}

/** Null when there are too many states, or the engine is cut. */
async function compare(text: string, memoryModel: MemoryModel, checks: typeof CHECKS): Promise<string | null> {
  const code = readCode(text, 'ILP32', { checks });
  const options = { checks, stateLimit: STATE_LIMIT, stopAtFirst: true, domain, memoryModel };
  const truth = enumerate(compileProgram(code), options);
  const isUnsafe = truth.violations.length > 0;
  if ((!truth.isComplete && !isUnsafe) || truth.readsIndeterminate) return null;
  const byOrder = await findsInOrder(code, memoryModel, 8, checks);
  if (byOrder !== null && byOrder !== isUnsafe) return `the free order says ${byOrder}`;
  const isFound = await findsInRounds(code, memoryModel, 5, 8, checks);
  if (isFound === isUnsafe) return 'same';
  return isFound || !(await findsInRounds(code, memoryModel, 14, 8, checks)) ? `the engine says ${isFound}` : 'same';
}

it('rounds and free order agree with enumeration on random programs', {
  timeout: 60_000 + 20_000 * COUNT,
}, async () => {
  let compared = 0;
  for (let at = 0; at < COUNT; at++) {
    const seed = 10_000 * SEED + at;
    const text = randomThreads({ seed, size: 4, ...KINDS[at % KINDS.length] });
    const model = at % 2 === 0 ? 'tso' : 'pso';
    const checks = at % 4 < 2 ? CHECKS : WITH_DEADLOCKS;
    const answer = await compare(text, model, checks).catch((error) => String(error.stack ?? error));
    if (answer !== null) expect(answer, `seed ${seed}, ${model}\n${text}`).toBe('same');
    if (answer === 'same') compared++;
  }
  expect(compared).toBeGreaterThan(COUNT / 8);
});

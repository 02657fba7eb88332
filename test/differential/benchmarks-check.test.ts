// Real programs against the engine, in this process: a sample of the correct ones of every family is never called
// unsafe, and bugs that are quick to find are found, by concrete runs and by the solver with the bounds of the papers.
// Every counterexample is replayed by the interpreter: one that does not replay throws. `npm run bench check` does the
// same for all programs.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/outcome/outcome.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { createRandom } from '../../src/support/random.ts';
import { type BenchmarkProgram, findBenchmarks, readBenchmarkManifest } from '../support/benchmarks.ts';
import { type CheckTextOptions, checkText, violatedCheck } from '../support/check-text.ts';

const SEED = 4;
/** Correct programs taken from each family. */
const SAFE_PER_FAMILY = 4;
/** A correct program that takes longer has no answer, which is no mistake. */
const SAFE_LIMIT_MS = 1_500;
/** Far more than the bugs need, because the machine may be busy. */
const UNSAFE_LIMIT_MS = 30_000;
const TEST_TIMEOUT_MS = 120_000;

/**
 * The manifest speaks of error calls only. In these programs no error call is reached, but a length of 2^30 makes the
 * 32 bits of `sizeof(int) * len` overflow, and memory of zero bytes is written to.
 */
const MEMORY_FAULTS = ['sssc12_true', 'sssc12_variant_true'];
/** Correct only if a definition of `__VERIFIER_atomic_begin` is one step: three rounds interrupt it otherwise. */
const LOCKED = ['rfi000_tso.oepc_true', 'rfi002_rmo.opt_true'];
/** Found by concrete runs at once, whatever the seed. */
const SHALLOW = ['lazy01_false', 'stateful01_false', '40_barrier_vf_false', '26_stack_cas_longer_false'];
/** Found by the solver at once. */
const BOUNDED = [
  ['lazy01_false', { unwind: 1, rounds: 1 }],
  ['stateful01_false', { unwind: 1, rounds: 1 }],
  ['bigshot_p_false', { unwind: 1, rounds: 2 }],
  ['reorder_2_false', { unwind: 2, rounds: 1 }],
  ['read_write_lock_false', { unwind: 1, rounds: 2 }],
  ['qrcu_false', { unwind: 1, rounds: 2 }],
  ['qw2004_false', { unwind: 2, rounds: 2 }],
  ['27_Boop_simple_vf_false', { unwind: 2, rounds: 2 }],
  ['32_pthread5_vs_false', { unwind: 2, rounds: 2 }],
  ['fkp2013_variant_false', { unwind: 1, rounds: 2 }],
  ['mix000_power.oepc_false', { unwind: 1, rounds: 2 }],
  ['safe002_pso.oepc_false', { unwind: 1, rounds: 2 }],
] as const;

const programs = readBenchmarkManifest();

function programNamed(name: string): BenchmarkProgram {
  const program = programs.find(({ file }) => path.basename(file).startsWith(name));
  if (program === undefined) throw new Error(`the manifest has no ${name}`);
  return program;
}

type Chosen = Pick<CheckTextOptions, 'unwind' | 'rounds' | 'explore'> & { readonly timeLimitMs: number };

function checkProgram({ file, dataModel }: BenchmarkProgram, options: Chosen): Promise<Outcome> {
  return checkLimited(readFileSync(path.join(findBenchmarks() ?? '', file), 'utf8'), dataModel, options);
}

function checkLimited(text: string, dataModel: DataModel, options: Chosen): Promise<Outcome> {
  const deadlineMs = performance.now() + options.timeLimitMs;
  return checkText(text, {
    ...options,
    dataModel,
    seed: SEED,
    environment: {
      clock: () => performance.now(),
      // The solver runs in this thread and looks at the clock itself.
      after: () => () => {},
      createSolver: () => createCadical({ seed: SEED, shouldStop: () => performance.now() > deadlineMs }),
      createIncrementalSolvers,
    },
  });
}

/** A few correct programs of each family. */
function sampleSafe(): BenchmarkProgram[] {
  const random = createRandom(SEED);
  const safe = programs.filter(({ expected }) => expected === 'safe');
  const families = [...new Set(safe.map(({ file }) => path.dirname(file)))].sort();
  return families.flatMap((family) => {
    const members = safe.filter(({ file }) => path.dirname(file) === family);
    const chosen = Array.from({ length: SAFE_PER_FAMILY }, () => random.pick(members));
    return [...new Set(chosen)];
  });
}

it('takes a lock of the program by the name of an atomic section in one step', async () => {
  const text = `#include <pthread.h>
    #include <assert.h>
    void __VERIFIER_assume(int);
    int lock, x;
    void __VERIFIER_atomic_begin(void) { __VERIFIER_assume(lock == 0); lock = 1; }
    void __VERIFIER_atomic_end(void) { __VERIFIER_assume(lock == 1); lock = 0; }
    void *f(void *p) { __VERIFIER_atomic_begin(); int seen = x; x = seen + 1; __VERIFIER_atomic_end(); return p; }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, f, 0);
      pthread_create(&b, 0, f, 0);
      pthread_join(a, 0);
      pthread_join(b, 0);
      assert(x == 2);
    }`;
  const options = { unwind: 1, rounds: 4, explore: true, timeLimitMs: UNSAFE_LIMIT_MS };
  expect((await checkLimited(text, 'ILP32', options)).kind).toBe('bounded');
});

describe('the engine on real programs', { timeout: TEST_TIMEOUT_MS }, () => {
  if (programs.length === 0) {
    it('is not tried without them', () => expect(findBenchmarks()).toBeNull());
    return;
  }

  it.each(sampleSafe().map((program) => [program.file, program] as const))(
    'reports no reachable error in %s',
    async (_, program) => {
      const options = { unwind: 2, rounds: 2, explore: true, timeLimitMs: SAFE_LIMIT_MS };
      const outcome = await checkProgram(program, options);
      const check = outcome.kind === 'unsafe' ? violatedCheck(outcome) : null;
      const isFaulty = MEMORY_FAULTS.some((name) => path.basename(program.file).startsWith(name));
      expect(isFaulty ? [null, 'pointer'] : [null]).toContain(check);
    },
  );

  it.each(LOCKED)('refutes all schedules of %s', async (name) => {
    const options = { unwind: 1, rounds: 3, explore: true, timeLimitMs: UNSAFE_LIMIT_MS };
    expect((await checkProgram(programNamed(name), options)).kind).toBe('bounded');
  });

  it.each(SHALLOW)('finds the bug of %s by concrete runs', async (name) => {
    const options = { unwind: null, rounds: null, explore: true, timeLimitMs: UNSAFE_LIMIT_MS };
    expect(await checkProgram(programNamed(name), options)).toMatchObject({ kind: 'unsafe', engine: 'explore' });
  });

  it.each(BOUNDED)('finds the bug of %s by the solver within %o', async (name, bounds) => {
    const options = { ...bounds, explore: false, timeLimitMs: UNSAFE_LIMIT_MS };
    expect(await checkProgram(programNamed(name), options)).toMatchObject({ kind: 'unsafe', engine: 'bounded' });
  });
});

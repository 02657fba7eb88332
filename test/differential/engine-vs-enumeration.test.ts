// The embedded engine against explicit enumeration of all interleavings, on small random programs, and against concrete
// runs on larger ones. What they look for differs from seed to seed, so that a fault that is easy to find does not hide
// others; so do the data model, the granularity, the rounds and what the models leave open. More random programs with
// LAZULI_THREADS_COUNT, others with LAZULI_THREADS_SEED; what differs is shrunk and shown.

import { describe, expect, it } from 'vitest';
import type { CheckName } from '../../src/program/check-names.ts';
import {
  type Agreement,
  type AgreementOptions,
  CHECKS,
  compareWithEnumeration,
  compareWithRuns,
} from '../support/agreement.ts';
import { compareCuts } from '../support/cut-agreement.ts';
import { type RandomThreadsOptions, randomThreads } from '../support/random-threads.ts';
import { shrink } from '../support/shrink.ts';

const COUNT = Number(process.env.LAZULI_THREADS_COUNT ?? 13);
const SEED = Number(process.env.LAZULI_THREADS_SEED ?? 1);
const STATE_LIMIT = 1500;

const KINDS: readonly Partial<RandomThreadsOptions>[] = [
  {},
  { hasLibrary: true },
  { hasLifetimes: true },
  { hasBytes: true },
  { hasSpins: true },
];

const CHECK_SETS: readonly (readonly CheckName[])[] = [
  [...CHECKS],
  ['assertion'],
  ['pointer', 'free', 'bounds'],
  ['mutex', 'thread'],
  [...CHECKS, 'leak', 'overflow', 'shift'],
  ['overflow', 'shift'],
  ['leak'],
  ['deadlock'],
  ['deadlock', 'assertion'],
];

function makeProgram(seed: number, size: number): string {
  return randomThreads({ seed, size, ...KINDS[seed % KINDS.length] });
}

/** With 6 rounds or more, schedules are asked for in normal form. */
function optionsOf(seed: number): AgreementOptions {
  return {
    checks: new Set(CHECK_SETS[seed % CHECK_SETS.length]),
    dataModel: seed % 3 === 0 ? 'ILP32' : 'LP64',
    atomicStatements: seed % 5 === 0,
    rounds: 4 + (seed % 4),
    defines: seed % 3 === 0 ? ['__LAZULI_SPURIOUS_WAKEUPS=0', '__LAZULI_MALLOC_MAY_FAIL=1'] : [],
  };
}

async function compare(seed: number, text: string): Promise<Agreement> {
  try {
    return await compareWithEnumeration(text, { ...optionsOf(seed), stateLimit: STATE_LIMIT });
  } catch (fault) {
    return { kind: 'skipped', message: `no program: ${fault}` };
  }
}

/** What differs, as a message with the smallest program that shows it. */
async function describeDifference(seed: number, text: string, message: string): Promise<string> {
  const small = await shrink(text, async (candidate) => (await compare(seed, candidate)).kind === 'differ', 300);
  return `seed ${seed}: ${message}\n${small}`;
}

describe('the engine and explicit enumeration', () => {
  it(
    `agree on ${COUNT} random programs (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = makeProgram(seed, 3);
        const agreement = await compare(seed, text);
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

/** Every kind of program, with loops and recursion that the bounds cut, and what can break around them. */
function makeCutProgram(seed: number): string {
  return randomThreads({
    seed,
    size: 2 + (seed % 2),
    hasCuts: true,
    ...(seed % 2 === 0 ? KINDS[seed % KINDS.length] : {}),
  });
}

async function compareCut(seed: number, text: string): Promise<Agreement> {
  try {
    const options = { ...optionsOf(seed), unwind: 1 + (seed % 3), stateLimit: STATE_LIMIT };
    return await compareCuts(text, seed % 4 === 0 ? options : { ...options, checks: CHECKS });
  } catch (fault) {
    return { kind: 'skipped', message: `no program: ${fault}` };
  }
}

describe('the engine and explicit enumeration within bounds', () => {
  it(
    `agree on ${COUNT} random programs that are cut (from seed ${SEED})`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, differ: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const text = makeCutProgram(seed);
        const agreement = await compareCut(seed, text);
        counts[agreement.kind]++;
        if (agreement.kind === 'skipped') expect(agreement.message).not.toContain('no program');
        if (agreement.kind !== 'differ') continue;
        const small = await shrink(text, async (each) => (await compareCut(seed, each)).kind === 'differ', 300);
        expect.fail(`seed ${seed}: ${agreement.message}\n${small}`);
      }
      expect(counts.safe).toBeGreaterThan(COUNT / 15);
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
        const text = makeProgram(seed, 5);
        const agreement = await compareWithRuns(text, optionsOf(seed));
        counts[agreement.kind]++;
        if (agreement.kind === 'differ') expect.fail(`seed ${seed}: ${agreement.message}\n${text}`);
      }
      expect(counts.unsafe).toBeGreaterThan(COUNT / 5);
    },
    60_000 + 5_000 * COUNT,
  );
});

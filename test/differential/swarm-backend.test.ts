// Instances of a swarm on the C-to-C road, on small random programs with CBMC. The union of all instances finds a
// violation exactly when the whole program within the same rounds does. An instance without the labels that it may not
// stop at finds what the program with all its labels finds when the driver may not choose these. And where a statement
// is a step on both roads, an instance that is named by lines finds the same on both. More random programs with
// LAZULI_SWARM_COUNT, others with LAZULI_SWARM_SEED.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findBoundedPlaces } from '../../src/backends/bounded-places.ts';
import { cbmc } from '../../src/backends/cbmc.ts';
import { createAsker } from '../../src/engines/swarm/ask-instances.ts';
import type { ListConfiguration } from '../../src/engines/swarm/configuration.ts';
import { findPlaces } from '../../src/engines/swarm/find-places.ts';
import { createInstances, type Instance } from '../../src/engines/swarm/instances.ts';
import { stopsOf } from '../../src/engines/swarm/stops.ts';
import type { Window } from '../../src/engines/swarm/tiling.ts';
import { restrictLabels } from '../../src/passes/restrict-labels.ts';
import { type BoundedProgram, lastLabel } from '../../src/program/bounded-program.ts';
import type { Sought } from '../../src/program/bounds.ts';
import { type CheckName, modelDefines } from '../../src/program/check-names.ts';
import { dropAssertions } from '../../src/sequentialize/drop-assertions.ts';
import { sequentialize } from '../../src/sequentialize/sequentialize.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { createRandom } from '../../src/support/random.ts';
import { prepareSteps, readCode } from '../support/agreement.ts';
import { randomRaces } from '../support/random-races.ts';
import { randomSwitches } from '../support/random-switches.ts';
import { randomThreads } from '../support/random-threads.ts';
import { randomWaits } from '../support/random-waits.ts';
import { askCbmc, boundOrRefuse, boundSample, type Question, readSample } from '../support/schema-agreement.ts';
import { tileProgram } from '../support/tile-program.ts';
import { requireTool } from '../support/tools.ts';

const COUNT = Number(process.env.LAZULI_SWARM_COUNT ?? 7);
const SEED = Number(process.env.LAZULI_SWARM_SEED ?? 8);
const SEEDS = Array.from({ length: COUNT }, (_, i) => SEED + i);
const MOST_INSTANCES = 12n;
const ASSERTIONS: ReadonlySet<CheckName> = new Set(['assertion']);
const LIMIT_MS = 60_000 + 20_000 * COUNT;

const folder = mkdtempSync(path.join(tmpdir(), 'lazuli-swarm-'));
afterAll(() => rmSync(folder, { recursive: true }));
const tool = requireTool('cbmc');

function question(seed: number, rounds: number): Question {
  const schema = seed % 4 === 1 ? 'cav14' : 'lazy2';
  return { schema, rounds, closingMain: seed % 5 !== 0, normalForm: seed % 3 === 0 };
}

/** Null when CBMC takes too long. */
function isViolated(bounded: BoundedProgram, asked: Question): boolean | null {
  const answer = askCbmc(tool ?? 'cbmc', folder, bounded, asked);
  return answer === undefined ? null : answer === 'FAILED';
}

/** The program, and it bounded; null where data races are not decided with its memory orders. */
function boundFor(text: string, seeks: Sought | null, atomicStatements: boolean) {
  if (seeks === null) {
    const source = readSample(text);
    return { source, bounded: boundSample(source, 'lazy2', { atomicStatements, unwind: 2 }) };
  }
  const checks = new Set([seeks]);
  const source = readSample(text, modelDefines(checks));
  const bounded = boundOrRefuse(source, 'lazy2', { atomicStatements: false, unwind: 2, seeks });
  return typeof bounded === 'string' ? null : { source, bounded: dropAssertions(bounded, checks) };
}

describe.runIf(tool !== null)('the union of all instances that CBMC checks', () => {
  it.each([
    {
      what: 'violations',
      seeks: null,
      make: (seed: number) => (seed % 8 === 0 ? randomThreads({ seed, size: 1 }) : randomSwitches(seed)),
    },
    { what: 'deadlocks', seeks: 'deadlock', make: (seed: number) => randomWaits(seed) },
    {
      what: 'data races',
      seeks: 'race',
      make: (seed: number) => (seed % 3 === 0 ? randomSwitches(seed) : randomRaces(seed, 2)),
    },
  ] as const)(
    `finds what the whole program within these rounds has ($what), on ${COUNT} programs from seed ${SEED}`,
    ({ seeks, make }) => {
      const counts = { safe: 0, unsafe: 0, skipped: 0 };
      for (const seed of SEEDS) {
        const rounds = 1 + (seed % 3);
        const subject = boundFor(make(seed), seeks, seed % 2 === 0);
        const threads = subject && findBoundedPlaces(subject.bounded, subject.source);
        const tiling = { length: 3 + (seed % 3), picks: rounds, seed, most: MOST_INSTANCES };
        const instances = threads && (tileProgram(threads, tiling) ?? tileProgram(threads, { ...tiling, length: 8 }));
        const asked = question(seed, rounds);
        const whole = instances && isViolated(subject.bounded, asked);
        if (!instances || whole === null) {
          counts.skipped++;
          continue;
        }
        let found = false;
        for (let i = 0n; i < instances.count && !found; i++) {
          const restricted = restrictLabels(subject.bounded, stopsOf(instances.at(i), threads));
          found = isViolated(restricted, asked) === true;
        }
        expect(found, `seed ${seed}`).toBe(whole);
        counts[whole ? 'unsafe' : 'safe']++;
      }
      if (process.env.LAZULI_SWARM_COUNT) console.log(counts);
      expect(counts.safe).toBeGreaterThan(COUNT / 20);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 20);
    },
    LIMIT_MS,
  );
});

/** The program with all its labels, in which the driver chooses other places to stop at. */
function isViolatedBesides(
  bounded: BoundedProgram,
  asked: Question,
  isStop: (thread: number, label: number) => boolean,
) {
  const options = { schedule: null, lineDirectives: false, spelling: cbmc.spelling, cutsOffUnsupported: true };
  const { text } = sequentialize(bounded, { ...options, ...asked, schema: 'lazy2', normalForm: false });
  const conditions = bounded.threads.flatMap((thread) => {
    const rounds = thread.number === 0 && asked.closingMain ? asked.rounds + 1 : asked.rounds;
    const labels = Array.from({ length: lastLabel(thread) }, (_, label) => label);
    const forbidden = labels.filter((label) => label > 0 && !isStop(thread.number, label));
    return Array.from({ length: rounds }, (_, round) =>
      forbidden.map((label) => `  __CPROVER_assume(__lazuli_stop_${thread.number}_${round} != ${label});\n`).join(''),
    );
  });
  const file = path.join(folder, 'besides.c');
  writeFileSync(
    file,
    text.replace('  /* Round 1. */', (round) => `${conditions.join('')}${round}`),
  );
  const { stdout } = spawnSync(tool ?? 'cbmc', ['--32', file], { encoding: 'utf8', timeout: 25_000 });
  return /VERIFICATION (\w+)/.exec(stdout)?.[1];
}

describe.runIf(tool !== null)('one instance that CBMC checks', () => {
  it(
    `finds what the driver finds that may not stop elsewhere, on ${COUNT} programs from seed ${SEED}`,
    () => {
      const counts = { FAILED: 0, SUCCESSFUL: 0 };
      for (const seed of SEEDS) {
        const source = readSample(randomSwitches(seed));
        const bounded = boundSample(source, 'lazy2', { atomicStatements: seed % 2 === 1, unwind: 2 });
        const threads = findBoundedPlaces(bounded, source);
        const random = createRandom(seed);
        const windows = threads.map(({ places }): Window[] =>
          places.flatMap((_, label): Window[] => (random.chance(1, 3) ? [[label, label]] : [])),
        );
        const isStop = stopsOf({ name: 'random', windows }, threads);
        const asked = { ...question(seed, 3), schema: seed % 2 === 0 ? 'cav14' : 'lazy2' } as const;
        const expected = isViolatedBesides(bounded, asked, isStop);
        const answer = askCbmc(tool ?? 'cbmc', folder, restrictLabels(bounded, isStop), asked);
        if (expected === undefined || answer === undefined) continue;
        expect(answer, `seed ${seed}`).toBe(expected);
        counts[answer === 'FAILED' ? 'FAILED' : 'SUCCESSFUL']++;
      }
      expect(counts.FAILED).toBeGreaterThan(COUNT / 10);
      expect(counts.SUCCESSFUL).toBeGreaterThan(COUNT / 10);
    },
    LIMIT_MS,
  );

  it(
    `finds what the embedded engine finds in the instance of the same lines, on ${COUNT} programs from seed ${SEED}`,
    async () => {
      const counts = { safe: 0, unsafe: 0 };
      for (const seed of SEEDS) {
        const text = randomSwitches(seed);
        const source = readSample(text);
        const bounded = boundSample(source, 'lazy2', { atomicStatements: true, unwind: 2 });
        const code = readCode(text, 'ILP32', { atomicStatements: true, checks: ASSERTIONS });
        const program = prepareSteps(code, 2, ASSERTIONS);
        // What CBMC reads beyond an array is not what the embedded engine has there.
        if (typeof program === 'string' || text.includes('array[')) continue;
        const random = createRandom(seed);
        const lines = text.split('\n').flatMap((line, i) => (/^ {2}/.test(line) && random.chance(1, 2) ? [i + 1] : []));
        const boundedThreads = findBoundedPlaces(bounded, source);
        const threads = findPlaces(program, code);
        const all = [boundedThreads, threads].map((road) => road.flatMap(({ places }) => places));
        const has = (line: number) => all.every((places) => places.some((place) => place.line === line));
        // An assertion that fails ends an execution, which the embedded engine takes for blocking.
        const blocking = all.flatMap((places) => places.filter(({ blocks }) => blocks).map(({ line }) => line));
        const places = [...new Set([...lines, ...blocking])]
          .filter(has)
          .map((line) => ({ kind: 'lines', file: null, first: line, last: line }) as const);
        const listed = { name: '*', places, path: '$' };
        const list: ListConfiguration = { kind: 'list', instances: [{ name: 'lines', threads: [listed] }] };
        const instanceOf = (all: typeof threads): Instance => createInstances(list, all).at(0n);
        const schedule = { kind: 'rounds', slots: 3, closingMain: true } as const;
        const asker = createAsker('assumed', program, { schedule, createSolver: () => createCadical() });
        const { kind } = await asker.ask(stopsOf(instanceOf(threads), threads), null);
        asker.dispose();
        const restricted = restrictLabels(bounded, stopsOf(instanceOf(boundedThreads), boundedThreads));
        const found = isViolated(restricted, { schema: 'lazy2', rounds: 3, closingMain: true });
        if (found === null) continue;
        expect(found, `seed ${seed}`).toBe(kind === 'violation');
        counts[found ? 'unsafe' : 'safe']++;
      }
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    LIMIT_MS,
  );
});

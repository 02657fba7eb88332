// Instances of a swarm on the embedded road, on small random programs. The union of all instances finds a violation
// exactly when the whole program within the same rounds does; and one instance finds one exactly when enumeration under
// the same restriction does. Both ways to ask (merged, assumed) must agree. Of data races and deadlocks only the union
// is compared: an instance has a race only where both threads may stop before their accesses, and enumeration knows no
// such thing. More random programs with LAZULI_SWARM_COUNT, others with LAZULI_SWARM_SEED.

import { describe, expect, it } from 'vitest';
import type { SolveResult } from '../../src/engines/bounded/solve.ts';
import type { ScheduleOptions } from '../../src/engines/bounded/symbolic-schedule.ts';
import { createAsker, type InstanceRoad } from '../../src/engines/swarm/ask-instances.ts';
import { findPlaces } from '../../src/engines/swarm/find-places.ts';
import { type IsStop, stopsOf } from '../../src/engines/swarm/stops.ts';
import type { Window } from '../../src/engines/swarm/tiling.ts';
import type { SteppedProgram } from '../../src/execute/steps.ts';
import type { CheckName } from '../../src/program/check-names.ts';
import type { Code } from '../../src/program/code.ts';
import { createCadical } from '../../src/solver/cadical-wasm.ts';
import { createRandom } from '../../src/support/random.ts';
import { compileProgram } from '../../src/trace/interpreter/compile-instructions.ts';
import { replayCompiled } from '../../src/trace/replay.ts';
import { CHECKS, prepareSteps, readCode, solveSteps } from '../support/agreement.ts';
import { enumerateInstance } from '../support/enumerate-instance.ts';
import { randomOrders, randomRaces } from '../support/random-races.ts';
import { randomSwitches } from '../support/random-switches.ts';
import { randomThreads } from '../support/random-threads.ts';
import { tileProgram } from '../support/tile-program.ts';

const COUNT = Number(process.env.LAZULI_SWARM_COUNT ?? 12);
const SEED = Number(process.env.LAZULI_SWARM_SEED ?? 1);
const ROADS: readonly InstanceRoad[] = ['merged', 'assumed'];
const STATE_LIMIT = 3000;
const MOST_INSTANCES = 60n;

interface Subject {
  readonly code: Code;
  readonly program: SteppedProgram;
  readonly checks: ReadonlySet<CheckName>;
}

function makeSubject(text: string, checks = CHECKS): Subject | null {
  const code = readCode(text, 'LP64', { checks });
  const program = prepareSteps(code, 2, checks);
  return typeof program === 'string' ? null : { code, program, checks };
}

/** What threads do with locks, lifetimes and cuts; and programs in which only preemptions matter. */
function makeForAssertions(seed: number): Subject | null {
  const kind = seed % 8 === 0 ? { hasCuts: true } : seed % 8 === 1 ? { hasLibrary: true } : null;
  return makeSubject(kind ? randomThreads({ seed, size: 2, ...kind }) : randomSwitches(seed));
}

/** Races of plain accesses, and those that memory orders decide; and circles of locks, in turns. */
function makeForRaces(seed: number): Subject | null {
  const races = new Set<CheckName>(['race']);
  if (seed % 3 === 0) return makeSubject(randomRaces(seed), races);
  if (seed % 3 === 1) return makeSubject(randomOrders(seed), races);
  return makeSubject(randomThreads({ seed, size: 2, hasLibrary: true }), new Set<CheckName>(['deadlock']));
}

function isViolation(result: SolveResult, { code, checks }: Subject, where: string): boolean {
  if (result.kind === 'unknown' || result.kind === 'open') throw new Error(`${where}: ${result.reason}`);
  if (result.kind === 'none') return false;
  const replayed = replayCompiled(compileProgram(code), result.schedule, { checks });
  if (replayed.kind === 'mismatch') throw new Error(`${where}: does not replay: ${replayed.message}`);
  return true;
}

/** Whether it has a violation within some rounds, as its instances together must say; null for one with too many. */
async function compareUnion(subject: Subject, seed: number): Promise<boolean | null> {
  const { program, code } = subject;
  const rounds = 1 + (seed % 3);
  const schedule: ScheduleOptions = { kind: 'rounds', slots: rounds };
  const threads = findPlaces(program, code);
  const tiling = { length: 2 + (seed % 3), picks: rounds, seed, most: MOST_INSTANCES };
  const instances = tileProgram(threads, tiling);
  if (instances === null) return null;
  const whole = isViolation(await solveSteps(program, schedule), subject, `seed ${seed}`);
  for (const road of ROADS) {
    const asker = createAsker(road, program, { schedule, createSolver: () => createCadical() });
    let found = false;
    for (let i = 0n; i < instances.count && !found; i++) {
      const where = `seed ${seed}, ${road}, instance ${i}`;
      found = isViolation(await asker.ask(stopsOf(instances.at(i), threads), null), subject, where);
    }
    asker.dispose();
    expect(found, `seed ${seed}, ${road}`).toBe(whole);
  }
  return whole;
}

describe('the union of all instances', () => {
  for (const [what, make] of [
    ['assertions', makeForAssertions],
    ['races and deadlocks', makeForRaces],
  ] as const) {
    it(
      `finds what the whole program within these rounds has of ${what}, on ${COUNT} programs from seed ${SEED}`,
      async () => {
        const counts = { safe: 0, unsafe: 0, skipped: 0 };
        for (let seed = SEED; seed < SEED + COUNT; seed++) {
          const subject = make(seed);
          const whole = subject && (await compareUnion(subject, seed));
          counts[whole === null ? 'skipped' : whole ? 'unsafe' : 'safe']++;
        }
        expect(counts.safe).toBeGreaterThan(COUNT / 10);
        expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
      },
      60_000 + 5_000 * COUNT,
    );
  }
});

/** Steps without an access have no name in the interpreter: a stop there is one before the next that has. */
function namedStops({ threads }: SteppedProgram, isStop: IsStop): IsStop {
  return (thread, label) => {
    const steps = threads[thread]?.steps ?? [];
    if (isStop(thread, label)) return true;
    for (let l = label - 1; l >= 0 && steps[l]?.accesses.length === 0 && !steps[l]?.creation; l--)
      if (isStop(thread, l)) return true;
    return false;
  };
}

describe('one instance', () => {
  it(
    `finds what enumeration under its restriction finds, on ${COUNT} programs from seed ${SEED}`,
    async () => {
      const counts = { safe: 0, unsafe: 0, skipped: 0, restricted: 0 };
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const subject = makeSubject(randomSwitches(seed));
        if (!subject) {
          counts.skipped++;
          continue;
        }
        const { program, code } = subject;
        const random = createRandom(seed);
        const threads = findPlaces(program, code);
        const windows = threads.map(({ places }): Window[] =>
          places.flatMap((_, label): Window[] => (random.chance(1, 5) ? [[label, label]] : [])),
        );
        const isStop = namedStops(program, stopsOf({ name: 'random', windows }, threads));
        const limits = { checks: CHECKS, stateLimit: STATE_LIMIT };
        const truth = enumerateInstance(compileProgram(code), program, isStop, limits);
        if (truth === null) {
          counts.skipped++;
          continue;
        }
        const steps = program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
        for (const road of ROADS) {
          const ask = async (slots: number) => {
            const schedule: ScheduleOptions = { kind: 'rounds', slots };
            const asker = createAsker(road, program, { schedule, createSolver: () => createCadical() });
            const result = await asker.ask(isStop, null);
            asker.dispose();
            return isViolation(result, subject, `seed ${seed}, ${road}`);
          };
          const found = (await ask(5)) || (truth && (await ask(steps + 1)));
          expect(found, `seed ${seed}, ${road}`).toBe(truth);
        }
        const whole = isViolation(await solveSteps(program, { kind: 'rounds', slots: 5 }), subject, `seed ${seed}`);
        if (whole && !truth) counts.restricted++;
        counts[truth ? 'unsafe' : 'safe']++;
      }
      expect(counts.safe).toBeGreaterThan(COUNT / 10);
      expect(counts.unsafe).toBeGreaterThan(COUNT / 10);
    },
    60_000 + 5_000 * COUNT,
  );
});

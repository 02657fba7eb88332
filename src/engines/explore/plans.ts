/** Which runs are made: schedules and inputs, in their order. */

import type { Random } from '../../support/random.ts';
import type { InputMode } from './inputs.ts';
import {
  afterCreation,
  mainFirst,
  priorities,
  randomWalk,
  roundRobin,
  type Scheduler,
  sequential,
} from './schedulers.ts';

/** One run to be made. */
export interface ExplorePlan {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly mode: InputMode;
  /** The first inputs of the program's own text. */
  readonly values?: readonly bigint[];
}

/** What earlier runs showed: the longest of them, and the most threads. */
export interface SeenRuns {
  steps: number;
  threads: number;
  /**
   * The same schedule may come to something else in another run: by inputs, pending stores, threads that are held back,
   * or another limit.
   */
  varies: boolean;
  /** The regular schedules were left out with the other kinds of inputs. */
  isRepeating: boolean;
  /**
   * How many threads main creates when it is let; infinite while that is not known, 0 when there is no crowd, -1 when
   * it has no end.
   */
  crowd: number;
  /** The most steps after the creation. */
  crowdSteps: number;
}

const MODES: readonly InputMode[] = ['zero', 'boundary', 'random'];
const QUANTA = [1, 2, 3, 4, 5, 6, 8, 13] as const;

/** The regular schedules with all kinds of inputs but the first. */
export const REPEATED_PLANS = (MODES.length - 1) * (2 + 2 * QUANTA.length);

/** The regular schedules first, then random ones for as long as anybody wants. */
export function* plans(random: Random, seen: SeenRuns): Generator<ExplorePlan> {
  for (const mode of MODES) {
    // Where no run was given inputs, others change nothing.
    seen.isRepeating = mode !== 'zero' && !seen.varies;
    if (seen.isRepeating) break;
    yield { name: 'sequential', scheduler: sequential(false), mode };
    yield { name: 'sequential, last first', scheduler: sequential(true), mode };
    for (const quantum of QUANTA) {
      yield { name: `round-robin ${quantum}`, scheduler: roundRobin(quantum), mode };
      yield {
        name: `round-robin ${quantum}, main first`,
        scheduler: mainFirst(roundRobin(quantum), seen.threads),
        mode,
      };
    }
  }
  for (let round = 0; ; round++) {
    const mode = MODES[round % MODES.length] as InputMode;
    for (let depth = 1; depth <= 4; depth++) {
      const scheduler = priorities(random, depth, seen.steps);
      if (round % 2 === 0) yield { name: `priorities ${depth}`, scheduler, mode };
      else yield { name: `priorities ${depth}, main first`, scheduler: mainFirst(scheduler, seen.threads), mode };
    }
    const stay = [0, 50, 80, 95][round % 4] as number;
    yield { name: `random walk ${stay}`, scheduler: randomWalk(random, stay), mode };
  }
}

export function* crowdPlans(random: Random, seen: Readonly<SeenRuns>): Generator<ExplorePlan> {
  for (let round = 0; ; round++) {
    const mode = MODES[round % MODES.length] as InputMode;
    const depth = 1 + (round % 3);
    const scheduler = round % 4 === 3 ? randomWalk(random, 50) : priorities(random, depth, seen.crowdSteps);
    yield { name: 'after creation', scheduler: afterCreation(scheduler, seen.crowd), mode };
  }
}

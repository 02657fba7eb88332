/** Concrete runs as an engine: each time more of them. It finds candidates and never says that there are none. */

import { NO_BOUNDS, type Outcome } from '../../outcome/outcome.ts';
import type { WitnessPath } from '../check-options.ts';
import { type Budget, type Candidate, type Engine, type Problem, timeLeft } from '../engine.ts';
import { DEFAULT_EXPLORE_LIMITS, type ExploreOptions, Explorer, scheduleOf } from './explore.ts';
import { WitnessFollower } from './follow-witness.ts';

export function createExploreEngine(): Engine {
  return new ExploreEngine();
}

/** Of programs of 200 steps and more, all runs are made. */
const RUNS = { runsPerStep: 3 };
/** All interleavings are soon asked about. */
const RUNS_WITHOUT_LOOPS = { runsPerStep: 0.5, fewestRuns: 24 };

class ExploreEngine implements Engine {
  readonly name = 'explore';
  #explorer: Explorer | null = null;

  async run(problem: Problem, budget: Budget): Promise<Outcome | Candidate> {
    const { compiled, checks, options, observer, notes } = problem;
    const { clock, isProved } = budget.environment;
    const start = clock();
    observer.onWork?.('explore');
    const { seed, memoryModel } = options;
    const common = { engine: this.name, bounds: NO_BOUNDS };
    const limits = { ...DEFAULT_EXPLORE_LIMITS, ...(problem.code.loops.length > 0 ? RUNS : RUNS_WITHOUT_LOOPS) };
    const exploreOptions: ExploreOptions = { ...limits, checks, seed, clock, mustStop: isProved, memoryModel, notes };
    this.#explorer ??= new Explorer(compiled, exploreOptions);
    const { found, statistics } = this.#explorer.explore(budget.shareMs, timeLeft(budget));
    const schedule = found && scheduleOf(compiled, found, exploreOptions);
    observer.onTime?.('explore', clock() - start);
    if (schedule) return { kind: 'candidate', ...common, schedule };
    const reason = `${statistics.runs} concrete runs broke nothing`;
    return { kind: 'unknown', ...common, cause: 'limit', reason, loc: null, attempts: [] };
  }
}

/** Runs that keep to a witness, until one breaks the property where the witness says, or the time is up. */
export function followWitness(problem: Problem, path: WitnessPath, budget: Budget): Outcome | Candidate {
  const { code, compiled, checks, options, observer } = problem;
  const { seed, memoryModel } = options;
  const { clock } = budget.environment;
  observer.onWork?.('explore');
  const follower = new WitnessFollower(path, code, seed);
  const exploreOptions: ExploreOptions = {
    ...{ ...DEFAULT_EXPLORE_LIMITS, checks, seed, clock, memoryModel },
    watch: (machine, event, frame, instruction) => follower.watch(machine, event, frame, instruction),
    plans: follower.plans(),
  };
  const explorer = new Explorer(compiled, exploreOptions);
  const common = { engine: 'witness', bounds: NO_BOUNDS };
  let runs = 0;
  // One run at a time: the follower knows of the last one.
  while (timeLeft(budget) > 0 && runs < MOST_WITNESS_RUNS) {
    const { found } = explorer.explore(timeLeft(budget), timeLeft(budget), 1);
    runs++;
    if (!found || !follower.hasFollowed) continue;
    const { thread, loc } = found.violation;
    const place = code.sources.place(loc);
    if (!follower.isTarget(thread, place?.file ?? null, place?.line ?? null)) continue;
    const schedule = scheduleOf(compiled, found, exploreOptions);
    return { kind: 'candidate', ...common, schedule };
  }
  const reason = `the witness leads to no violation in ${runs} runs; ${follower.tellMostPassed()}`;
  return { kind: 'unknown', ...common, cause: 'limit', reason, loc: null, attempts: [] };
}

const MOST_WITNESS_RUNS = 20_000;

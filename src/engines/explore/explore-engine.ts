/** Concrete runs as an engine: each time more of them. It finds candidates and never says that there are none. */

import { NO_BOUNDS, type Outcome } from '../../outcome/outcome.ts';
import { type Budget, type Candidate, type Engine, type Problem, timeLeft } from '../engine.ts';
import { DEFAULT_EXPLORE_LIMITS, type ExploreOptions, Explorer, scheduleOf } from './explore.ts';

export function createExploreEngine(): Engine {
  return new ExploreEngine();
}

class ExploreEngine implements Engine {
  readonly name = 'explore';
  #explorer: Explorer | null = null;

  async run(problem: Problem, budget: Budget): Promise<Outcome | Candidate> {
    const { compiled, checks, options, observer, notes } = problem;
    const { clock } = budget.environment;
    const start = clock();
    observer.onWork?.('explore');
    const { seed, memoryModel } = options;
    const exploreOptions: ExploreOptions = { ...DEFAULT_EXPLORE_LIMITS, checks, seed, clock, memoryModel, notes };
    this.#explorer ??= new Explorer(compiled, exploreOptions);
    const { found, statistics } = this.#explorer.explore(budget.shareMs, timeLeft(budget));
    const schedule = found && scheduleOf(compiled, found, exploreOptions);
    observer.onTime?.('explore', clock() - start);
    const common = { engine: this.name, bounds: NO_BOUNDS };
    if (schedule) return { kind: 'candidate', ...common, schedule };
    const reason = `${statistics.runs} concrete runs broke nothing`;
    return { kind: 'unknown', ...common, cause: 'limit', reason, loc: null, attempts: [] };
  }
}

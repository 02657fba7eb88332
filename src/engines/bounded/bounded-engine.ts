/**
 * The bounded engine: executes the program symbolically up to the bounds of a stage, encodes schedule and memory as one
 * formula and asks a solver.
 */

import { type Cut, isUnsupported } from '../../execute/steps.ts';
import {
  type CoveredBounds,
  type CutPlace,
  NO_BOUNDS,
  type Outcome,
  type UnknownCause,
} from '../../outcome/outcome.ts';
import type { Stage } from '../../outcome/progress.ts';
import type { Code } from '../../program/code.ts';
import type { Loc } from '../../support/source.ts';
import type { CheckOptions } from '../check-options.ts';
import { type Budget, type Candidate, type Engine, type Problem, timeLeft } from '../engine.ts';
import { withinBudget } from '../within-budget.ts';
import type { AssertionReach } from './assertion-reach.ts';
import type { Preparation } from './preparation.ts';
import type { Prepared } from './prepare.ts';
import { slotsForAll } from './rounds-for-all.ts';
import { type SolveResult, solve } from './solve.ts';
import type { ScheduleOptions } from './symbolic-schedule.ts';

type PreparedProgram = Extract<Prepared, { kind: 'prepared' }>;

/** Stages that differ in their rounds only share one symbolic execution. */
export function createBoundedEngine(preparation: Preparation): Engine {
  return new BoundedEngine(preparation);
}

class BoundedEngine implements Engine {
  readonly name = 'bounded';
  readonly #preparation: Preparation;

  constructor(preparation: Preparation) {
    this.#preparation = preparation;
  }

  async run(problem: Problem, budget: Budget): Promise<Outcome | Candidate> {
    const { stage, options, observer } = problem;
    const { clock } = budget.environment;
    const bounds = boundsOf(stage, options);
    const reach = this.#preparation.reachFor(problem.code);
    const prepared = this.#preparation.prepareFor(problem, budget);
    switch (prepared.kind) {
      case 'unsupported':
        return this.#unknown(bounds, 'unsupported', prepared.reason, prepared.loc);
      case 'limit':
        return this.#unknown(bounds, 'limit', prepared.reason);
      case 'prepared': {
        const start = clock();
        reach.begin();
        const result = await solveStage(problem, prepared, budget, reach);
        observer.onTime?.('solve', clock() - start);
        return this.#conclude(problem, prepared, result, bounds, budget);
      }
    }
  }

  #conclude(
    { code, stage, options }: Problem,
    { program }: PreparedProgram,
    result: SolveResult,
    bounds: CoveredBounds,
    budget: Budget,
  ): Outcome | Candidate {
    switch (result.kind) {
      case 'violation':
        return { kind: 'candidate', engine: this.name, bounds, schedule: result.schedule };
      case 'unknown':
        return timeLeft(budget) < 10
          ? this.#unknown(bounds, 'time', 'time is up')
          : this.#unknown(bounds, 'solver', result.reason);
      case 'open':
        return this.#unknown(bounds, 'limit', result.reason);
      case 'none': {
        const cuts = result.cuts?.map((cut) => placeOf(cut, code)) ?? null;
        const steps = program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
        const slots = slotsForAll(program, options.contextSwitches === null ? 'rounds' : 'contexts');
        const coversAll = cuts?.length === 0 && (program.threads.length === 1 || stage.rounds >= slots);
        const [limit] = code.limits;
        if (!coversAll || limit !== undefined) {
          // An unwinding bound that cuts nothing off is none.
          const covered = cuts?.length === 0 ? { ...bounds, unwind: null } : bounds;
          const assertions = this.#preparation.reachFor(code).coverage();
          const reason = coversAll ? (limit ?? null) : null;
          return { kind: 'bounded', engine: this.name, bounds: covered, cuts, assertions, reason };
        }
        const claim = `none of the ${steps} steps leads to a violation, in whatever order the threads take them`;
        return {
          kind: 'safe',
          engine: this.name,
          bounds: NO_BOUNDS,
          proof: { method: 'exhaustion', claim, invariant: null },
        };
      }
    }
  }

  #unknown(bounds: CoveredBounds, cause: UnknownCause, reason: string, loc: Loc | null = null): Outcome {
    return { kind: 'unknown', engine: this.name, bounds, cause, reason, loc, attempts: [] };
  }
}

function solveStage(
  { stage, options, observer }: Problem,
  { program }: PreparedProgram,
  budget: Budget,
  visits: AssertionReach,
): Promise<SolveResult> {
  const { contextSwitches, closingMain } = options;
  const schedule: ScheduleOptions = {
    kind: contextSwitches === null ? 'rounds' : 'contexts',
    slots: stage.rounds,
    closingMain,
  };
  return withinBudget(budget, (createSolver) =>
    solve(program, {
      schedule,
      visits,
      createSolver,
      onFormula: (size) => observer.onFormula?.(stage, size),
      onClauses: (clauses, assumptions) => observer.onClauses?.(stage, clauses, assumptions),
    }),
  );
}

function boundsOf({ unwind, rounds }: Stage, { contextSwitches }: CheckOptions): CoveredBounds {
  return contextSwitches === null ? { unwind, rounds } : { unwind, rounds: null, contextSwitches };
}

/** Loops in models are the tool's own business: they have no place. */
export function placeOf(cut: Cut, { sources }: Code): CutPlace {
  const { where, loc } = cut;
  const found = sources.place(loc);
  const place = found && { file: found.file, line: found.line, column: found.column };
  return { kind: isUnsupported(cut) ? 'unsupported' : 'bound', where, loc, place };
}

/**
 * The bounded engine: executes the program symbolically up to the bounds of a stage, encodes schedule and memory as one
 * formula and asks a solver. Stages that differ in their rounds only share one execution; what one execution learnt of
 * the program serves the next.
 */

import type { Experience } from '../../execute/execute-program.ts';
import { LARGEST_EXECUTION } from '../../execute/execution.ts';
import { type Cut, isUnsupported } from '../../execute/steps.ts';
import { ExecutionLimitError } from '../../execute/unsupported.ts';
import {
  type CoveredBounds,
  type CutPlace,
  NO_BOUNDS,
  type Outcome,
  type UnknownCause,
} from '../../outcome/outcome.ts';
import type { Stage } from '../../outcome/progress.ts';
import type { Code } from '../../program/code.ts';
import type { SatSolver } from '../../solver/solver.ts';
import type { Loc } from '../../support/source.ts';
import type { CheckOptions } from '../check-options.ts';
import { type Budget, type Candidate, type Engine, type Problem, timeLeft } from '../engine.ts';
import { hasFixedBounds } from '../stages.ts';
import { AssertionReach } from './assertion-reach.ts';
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts';
import type { ScheduleOptions } from './schedule.ts';
import { type SolveResult, solve } from './solve.ts';

type PreparedProgram = Extract<Prepared, { kind: 'prepared' }>;

/** Before constant loops are cut: steps of the program, and the time that a stage's execution may take. */
const QUICK_STEPS = 6_000;
const SHORTEST_EXECUTION_MS = 2_000;
const EXECUTION_SHARE = 0.15;

/** What one execution may spend, and what is to be noted in it. */
interface ExecutionShare {
  readonly steps: number;
  readonly deadline: number;
  readonly watched: PrepareOptions['watched'];
}

export function createBoundedEngine(): Engine {
  return new BoundedEngine();
}

class BoundedEngine implements Engine {
  readonly name = 'bounded';
  readonly #experience: Experience = { knowledge: null };
  #reach: AssertionReach | null = null;
  #prepared: { readonly unwind: number; readonly result: Prepared } | null = null;
  /** Unwinding loops with a constant number of iterations made the program too large: so it will with larger bounds. */
  #hasLongLoops = false;

  async run(problem: Problem, budget: Budget): Promise<Outcome | Candidate> {
    const { stage, options, observer } = problem;
    const { clock } = budget.environment;
    const bounds = boundsOf(stage, options);
    this.#reach ??= new AssertionReach(problem.code);
    const prepared = this.#prepareFor(problem, budget, this.#reach);
    switch (prepared.kind) {
      case 'unsupported':
        return this.#unknown(bounds, 'unsupported', prepared.reason, prepared.loc);
      case 'limit':
        return this.#unknown(bounds, 'limit', prepared.reason);
      case 'prepared': {
        const start = clock();
        this.#reach.begin();
        const result = await solveStage(problem, prepared, budget, this.#reach);
        observer.onTime?.('solve', clock() - start);
        return this.#conclude(problem, prepared, result, bounds, budget);
      }
    }
  }

  /** Stages that differ in their rounds only share one symbolic execution. */
  #prepareFor(problem: Problem, budget: Budget, { watched }: AssertionReach): Prepared {
    const { unwind } = problem.stage;
    if (this.#prepared?.unwind !== unwind) this.#prepared = { unwind, result: this.#prepare(problem, budget, watched) };
    return this.#prepared.result;
  }

  /**
   * Loops with a constant number of iterations are unwound fully, unless that makes the program so large that an early
   * stage would never end: then they are cut like all others, and the answer says so.
   */
  #prepare(problem: Problem, budget: Budget, watched: PrepareOptions['watched']): Prepared {
    const { options } = problem;
    const whole = { steps: LARGEST_EXECUTION.steps, deadline: budget.deadline, watched };
    if (hasFixedBounds(options)) return this.#execute(problem, budget, options.unwindConstantLoops, whole);
    if (!options.unwindConstantLoops || this.#hasLongLoops) return this.#execute(problem, budget, false, whole);
    const quickMs = Math.max(SHORTEST_EXECUTION_MS, EXECUTION_SHARE * timeLeft(budget));
    const deadline = Math.min(budget.environment.clock() + quickMs, budget.deadline);
    const quick = this.#execute(problem, budget, true, { steps: QUICK_STEPS, deadline, watched });
    if (quick.kind !== 'limit') return quick;
    this.#hasLongLoops = true;
    return this.#execute(problem, budget, false, whole);
  }

  #execute(
    { code, checks, options: asked, stage, observer }: Problem,
    { environment }: Budget,
    unwindConstantLoops: boolean,
    { steps, deadline, watched }: ExecutionShare,
  ): Prepared {
    const start = environment.clock();
    let lastStart = start;
    const options: PrepareOptions = {
      bounds: { ...asked, unwind: stage.unwind, unwindConstantLoops },
      limits: {
        ...LARGEST_EXECUTION,
        steps,
        poll: () => {
          if (timeLeft({ deadline, environment }) <= 0) throw new ExecutionLimitError('time is up');
        },
      },
      checks,
      valueAnalysis: asked.valueAnalysis,
      ...(watched ? { watched } : {}),
      onIteration: () => {
        lastStart = environment.clock();
      },
    };
    const prepared = prepare(code, options, this.#experience);
    observer.onTime?.('analyse', lastStart - start);
    observer.onTime?.('execute', environment.clock() - lastStart);
    if (prepared.kind === 'prepared') observer.onSteps?.(stage, prepared.program, options);
    return prepared;
  }

  #conclude(
    { code, stage }: Problem,
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
      case 'none': {
        const cuts = result.cuts?.map((cut) => placeOf(cut, code)) ?? null;
        const steps = program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
        const coversAll = cuts?.length === 0 && (program.threads.length === 1 || stage.rounds >= steps);
        const [limit] = code.limits;
        if (!coversAll || limit !== undefined) {
          // An unwinding bound that cuts nothing off is none.
          const covered = cuts?.length === 0 ? { ...bounds, unwind: null } : bounds;
          const assertions = this.#reach?.coverage() ?? null;
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

async function solveStage(
  { stage, options, observer }: Problem,
  { program }: PreparedProgram,
  budget: Budget,
  visits: AssertionReach,
): Promise<SolveResult> {
  const { environment } = budget;
  const { contextSwitches, closingMain } = options;
  const schedule: ScheduleOptions = {
    kind: contextSwitches === null ? 'rounds' : 'contexts',
    slots: stage.rounds,
    closingMain,
  };
  let running: SatSolver | null = null;
  const interrupt = () => running?.interrupt();
  const cancel = environment.after(Math.min(budget.shareMs, timeLeft(budget)), interrupt);
  environment.signal?.addEventListener('abort', interrupt);
  try {
    return await solve(program, {
      schedule,
      visits,
      createSolver: async () => {
        running = await environment.createSolver();
        return running;
      },
      onFormula: (size) => observer.onFormula?.(stage, size),
      onClauses: (clauses, assumptions) => observer.onClauses?.(stage, clauses, assumptions),
    });
  } finally {
    cancel();
    environment.signal?.removeEventListener('abort', interrupt);
  }
}

function boundsOf({ unwind, rounds }: Stage, { contextSwitches }: CheckOptions): CoveredBounds {
  return contextSwitches === null ? { unwind, rounds } : { unwind, rounds: null, contextSwitches };
}

/** Loops in models are the tool's own business: they have no place. */
function placeOf(cut: Cut, { sources }: Code): CutPlace {
  const { where, loc } = cut;
  const found = sources.place(loc);
  const place = found && { file: found.file, line: found.line, column: found.column };
  return { kind: isUnsupported(cut) ? 'unsupported' : 'bound', where, loc, place };
}

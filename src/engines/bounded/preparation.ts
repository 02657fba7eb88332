/**
 * The symbolic execution that the engines over steps share: one for each unwinding bound, with what executions before
 * it learnt of the program. Who asks for the same bound again gets the same steps.
 */

import type { Experience } from '../../execute/execute-program.ts';
import { LARGEST_EXECUTION } from '../../execute/execution.ts';
import { ExecutionLimitError } from '../../execute/unsupported.ts';
import type { Code } from '../../program/code.ts';
import { type Budget, type Problem, timeLeft } from '../engine.ts';
import { hasFixedBounds } from '../stages.ts';
import { AssertionReach } from './assertion-reach.ts';
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts';
import { slotsForAll } from './rounds-for-all.ts';

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

export class Preparation {
  #reach: AssertionReach | null = null;
  readonly #experience: Experience = { knowledge: null };
  #prepared: { readonly unwind: number; readonly result: Prepared } | null = null;
  /** Unwinding loops with a constant number of iterations made the program too large: so it will with larger bounds. */
  #hasLongLoops = false;

  /** Which assertions executions come to; the steps note their places. */
  reachFor(code: Code): AssertionReach {
    this.#reach ??= new AssertionReach(code);
    return this.#reach;
  }

  prepareFor(problem: Problem, budget: Budget): Prepared {
    const { unwind } = problem.stage;
    const { watched } = this.reachFor(problem.code);
    if (this.#prepared?.unwind !== unwind) {
      const before = this.#prepared?.result;
      this.#prepared = { unwind, result: this.#prepare(problem, budget, watched) };
      this.isSettled = areAlike(before, this.#prepared.result);
    }
    return this.#prepared.result;
  }

  /** The last unwinding bound gave the same as the one before: no larger one will give anything else. */
  isSettled = false;

  /** How many rounds all interleavings of the last prepared program fit into. */
  get roundsForAll(): number {
    const result = this.#prepared?.result;
    if (result?.kind !== 'prepared') return Number.POSITIVE_INFINITY;
    return slotsForAll(result.program, 'rounds');
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
      memoryModel: asked.memoryModel,
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
}

function areAlike(a: Prepared | undefined, b: Prepared): boolean {
  if (a?.kind !== 'prepared' || b.kind !== 'prepared' || a.program.graph.size !== b.program.graph.size) return false;
  const [first, second] = [a, b].map(({ program }) => program.threads.map(({ steps }) => steps.length).join(' '));
  return first === second;
}

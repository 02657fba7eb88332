/**
 * The engine of the free order: all interleavings of the program up to an unwinding bound, without a bound on rounds.
 * Where nothing is cut, that no order leads to a violation is a proof. It is confirmed on a second road before it is
 * said, or the claim says what is trusted.
 */

import type { SteppedProgram } from '../../execute/steps.ts';
import { NO_BOUNDS, type Outcome, type UnknownCause } from '../../outcome/outcome.ts';
import { isWeak } from '../../program/memory-model.ts';
import { invariant } from '../../support/invariant.ts';
import { placeOf } from '../bounded/bounded-engine.ts';
import type { Preparation } from '../bounded/preparation.ts';
import type { SolveResult } from '../bounded/solve.ts';
import { type Budget, type Candidate, type Engine, type Problem, timeLeft } from '../engine.ts';
import { withinBudget } from '../within-budget.ts';
import { askReference } from './reference-order.ts';
import { solveFreeOrder } from './solve-free-order.ts';

export function createOrderEngine(preparation: Preparation): Engine {
  return new OrderEngine(preparation);
}

class OrderEngine implements Engine {
  readonly name = 'order';
  readonly #preparation: Preparation;

  constructor(preparation: Preparation) {
    this.#preparation = preparation;
  }

  async run(problem: Problem, budget: Budget): Promise<Outcome | Candidate> {
    const { code, stage, observer } = problem;
    const { clock } = budget.environment;
    const bounds = { unwind: stage.unwind, rounds: null };
    const prepared = this.#preparation.prepareFor(problem, budget);
    if (prepared.kind !== 'prepared') return this.#unknown(stage.unwind, 'limit', prepared.reason);
    const start = clock();
    const { program } = prepared;
    const result = await solveWithin(program, budget);
    observer.onTime?.('solve', clock() - start);
    switch (result.kind) {
      case 'violation':
        return { kind: 'candidate', engine: this.name, bounds, schedule: result.schedule };
      case 'unknown':
        return this.#unknown(stage.unwind, timeLeft(budget) < 10 ? 'time' : 'solver', result.reason);
      case 'open':
        return this.#unknown(stage.unwind, 'limit', result.reason);
      case 'none': {
        const cuts = result.cuts?.map((cut) => placeOf(cut, code)) ?? null;
        const assertions = this.#preparation.reachFor(code).coverage();
        const [limit] = code.limits;
        if (cuts?.length !== 0) return { kind: 'bounded', engine: this.name, bounds, cuts, assertions, reason: null };
        if (limit !== undefined)
          return { kind: 'bounded', engine: this.name, bounds: NO_BOUNDS, cuts, assertions, reason: limit };
        const claim = describeProof(program, await confirmProof(program, clock() - start, budget));
        return {
          kind: 'safe',
          engine: this.name,
          bounds: NO_BOUNDS,
          proof: { method: 'exhaustion', claim, invariant: null },
        };
      }
    }
  }

  #unknown(unwind: number, cause: UnknownCause, reason: string): Outcome {
    const bounds = { unwind, rounds: null };
    return { kind: 'unknown', engine: this.name, bounds, cause, reason, loc: null, attempts: [] };
  }
}

function solveWithin(program: SteppedProgram, budget: Budget, isPlain = false): Promise<SolveResult> {
  return withinBudget(budget, (createSolver, mustStop) => solveFreeOrder(program, { createSolver, mustStop, isPlain }));
}

// ---------------------------------------------------------------- the second road

/** The second road may take so much longer than the first, and at least so long. */
const CONFIRM_FACTOR = 4;
const SHORTEST_CONFIRM_MS = 3_000;

/** `plain`: a formula of its own, without any reduction; `unreduced`: the same one without reductions. */
type Confirmation = 'plain' | 'unreduced' | null;

/** Puts the question once more, on another road. If that finds an execution, one of the two is wrong: our fault. */
async function confirmProof(program: SteppedProgram, tookMs: number, budget: Budget): Promise<Confirmation> {
  const share = { ...budget, shareMs: Math.max(SHORTEST_CONFIRM_MS, CONFIRM_FACTOR * tookMs) };
  const answer = await withinBudget(share, (createSolver, mustStop) =>
    askReference(program, createSolver, { mustStop }),
  );
  invariant(answer !== 'not-safe', 'a proof by free order is refuted by the formula without reductions');
  if (answer === 'safe') return 'plain';
  const second = await solveWithin(program, share, true);
  invariant(second.kind !== 'violation', 'a proof by free order is refuted when its reductions are left out');
  invariant(second.kind !== 'none' || second.cuts?.length === 0, 'a proof by free order overlooks a cut');
  return second.kind === 'none' ? 'unreduced' : null;
}

function describeProof({ threads, memoryModel }: SteppedProgram, confirmation: Confirmation): string {
  const steps = threads.reduce((sum, thread) => sum + thread.steps.length, 0);
  const stores = isWeak(memoryModel) ? ` and stores reach memory under ${memoryModel.toUpperCase()}` : '';
  const claim = `none of the ${steps} steps leads to a violation, in whatever order the threads take them${stores}`;
  switch (confirmation) {
    case 'plain':
      return `${claim} (confirmed by a second formula, built without reductions)`;
    case 'unreduced':
      return `${claim} (confirmed without reductions)`;
    case null:
      return (
        `${claim} (too large to be confirmed without reductions: that sections of a lock exclude each other, ` +
        "that a join comes after the thread's end, and where threads may stop is trusted)"
      );
  }
}

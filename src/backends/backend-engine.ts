/**
 * An external verifier as an engine: it is asked about the sequentialized program, and what it answers is judged here.
 * Running it is handed in.
 *
 * What the models leave out must neither hide a bug nor count as one. So executions that reach it are cut off first;
 * only when nothing is found, the backend is asked whether there are any. A violation whose trace is read counts when
 * the interpreter sees it, too; of backends without traces their word is taken.
 */

import { type Engine, type TimeBudget, timeLeft } from '../engines/engine.ts';
import { judgeReach } from '../outcome/judge-reach.ts';
import type { CoveredBounds, CutPlace, Outcome, Unknown } from '../outcome/outcome.ts';
import type { BoundedProgram } from '../program/bounded-program.ts';
import type { CheckName } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import type { CountedRun } from '../trace/counted-run.ts';
import type { Backend, BackendAnswer } from './backend.ts';
import { type CoverageQuestion, judgeCoverage } from './judge-coverage.ts';
import { printNativeInputs } from './native-inputs.ts';
import { readCheck } from './read-check.ts';
import { replayTrace } from './replay-trace.ts';

/** A program that was sequentialized for the backend. */
export interface BackendProblem {
  readonly bounded: BoundedProgram;
  readonly output: Sequentialized;
  /** The same with executions cut off where they reach what the models leave out. */
  readonly cutOff: () => Sequentialized;
  /** The program for the interpreter; null if it does not know all of it. */
  readonly code: Code | null;
  readonly checks: ReadonlySet<CheckName>;
  readonly bounds: CoveredBounds;
  /** The question what was covered (sequentialize/ask-coverage.ts); null where it cannot be asked. */
  readonly coverage?: () => CoverageQuestion | null;
  /** Is told the run of a counterexample that was replayed, where others can replay it, too. */
  readonly onRun?: (run: CountedRun | null) => void;
  /** Is told the values of a counterexample, for the program that runs natively. */
  readonly onNativeInput?: (text: string | null) => void;
}

/** Asks the backend about a text; it has so many milliseconds. `all`: which of all assertions can fail. */
export type AskBackend = (text: string, timeLimitMs: number, all?: 'all') => Promise<BackendAnswer>;

export function createBackendEngine(backend: Backend, ask: AskBackend): Engine<BackendProblem, TimeBudget> {
  return new BackendEngine(backend, ask);
}

class BackendEngine implements Engine<BackendProblem, TimeBudget> {
  readonly name: string;
  readonly #backend: Backend;
  readonly #ask: AskBackend;

  constructor(backend: Backend, ask: AskBackend) {
    this.name = backend.name;
    this.#backend = backend;
    this.#ask = ask;
  }

  async run(problem: BackendProblem, budget: TimeBudget): Promise<Outcome> {
    const { output, bounds } = problem;
    const cutOff = problem.cutOff();
    const answer = await this.#ask(cutOff.text, timeLeft(budget));
    if (answer.kind === 'unknown') return this.#unknown(bounds, 'backend', answer.reason);
    if (answer.kind === 'violation') return this.#confirm(answer, cutOff, problem, budget);
    if (cutOff.text === output.text) return this.#cover(problem, budget);
    const second = await this.#ask(output.text, timeLeft(budget));
    if (second.kind === 'unknown') return this.#unknown(bounds, 'backend', second.reason);
    if (second.kind === 'safe') return this.#cover(problem, budget);
    const { message } = readCheck(second.description);
    return this.#unknown(bounds, 'backend', message || 'the program reaches library functions that are not modelled');
  }

  /** Nothing is violated: what is that worth? */
  async #cover({ bounds, bounded, coverage }: BackendProblem, budget: TimeBudget): Promise<Outcome> {
    const plain = { kind: 'bounded', engine: this.name, bounds, cuts: null, assertions: null, reason: null } as const;
    const question = this.#backend.verifier?.all && timeLeft(budget) > 0 ? (coverage?.() ?? null) : null;
    if (question === null) return plain;
    const answer = await this.#ask(question.text, timeLeft(budget), 'all');
    if (answer.kind === 'unknown') return plain;
    const found = judgeCoverage(question, answer.kind === 'safe' ? [] : (answer.failing ?? []), bounded.sources);
    // Where loops are kept the backend itself cuts them off, and does not say where.
    if (bounded.options.keepLoops) return judgeReach({ ...plain, ...found, cuts: null });
    return judgeReach({ ...plain, ...found, bounds: boundsThatMatter(bounds, found.cuts, bounded) });
  }

  #confirm(
    answer: Extract<BackendAnswer, { kind: 'violation' }>,
    output: Sequentialized,
    { bounded, code, checks, bounds, onNativeInput, onRun }: BackendProblem,
    { environment }: TimeBudget,
  ): Outcome {
    const { steps, description } = answer;
    const drawing = drawingPrefix(this.#backend);
    const found = (trace: Extract<Outcome, { kind: 'unsafe' }>['trace']): Outcome => {
      onNativeInput?.(printNativeInputs({ steps, text: output.text, prefix: drawing }));
      return { kind: 'unsafe', engine: this.name, bounds, trace };
    };
    if (!this.#backend.verifier?.tellsSteps) return found(null);
    if (!code) return this.#unconfirmed(bounds, 'the interpreter does not know all of the program');
    const { clock } = environment;
    const replayed = replayTrace({ steps, description, output, drawing, bounded, code, checks, clock });
    if (replayed.kind !== 'replayed') return this.#unconfirmed(bounds, replayed.reason);
    onRun?.(replayed.run);
    return found(replayed.trace);
  }

  #unconfirmed(bounds: CoveredBounds, reason: string): Unknown {
    const { title } = this.#backend;
    return this.#unknown(bounds, 'unconfirmed', `the counterexample of ${title} could not be confirmed: ${reason}`);
  }

  #unknown(bounds: CoveredBounds, cause: Unknown['cause'], reason: string): Unknown {
    return { kind: 'unknown', engine: this.name, bounds, cause, reason, loc: null, attempts: [] };
  }
}

/** How the functions begin that draw a value. */
function drawingPrefix({ spelling }: Backend): string {
  return spelling.nondet('int').replace(/int$/, '');
}

/** Where nothing is cut, all iterations were looked at; and one thread alone has no interleavings. */
function boundsThatMatter(
  bounds: CoveredBounds,
  cuts: readonly CutPlace[],
  { threads }: BoundedProgram,
): CoveredBounds {
  if (cuts.length > 0) return bounds;
  return { ...bounds, unwind: null, rounds: threads.length === 1 ? null : bounds.rounds };
}

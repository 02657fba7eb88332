/**
 * What an engine is: it gets a problem and a budget and comes to an outcome, or to a candidate, which the strategy
 * (strategy.ts) replays before anybody sees it. An engine object serves one program: what it learnt in one run it may
 * use in the next, and with a further budget it goes on where it stopped.
 */

import type { ExecuteOptions } from '../execute/execution.ts';
import type { SteppedProgram } from '../execute/steps.ts';
import type { Coverage, CoveredBounds, EngineName, Outcome } from '../outcome/outcome.ts';
import type { FormulaSize, ProofProgress, Stage, Work } from '../outcome/progress.ts';
import type { CheckName, Code } from '../program/code.ts';
import type { IncrementalSolvers } from '../solver/incremental-cadical.ts';
import type { SatSolver } from '../solver/solver.ts';
import type { CompiledProgram } from '../trace/interpreter/compile-instructions.ts';
import type { RunNotes } from '../trace/interpreter/run-notes.ts';
import type { Schedule } from '../trace/replay.ts';
import type { CheckOptions } from './check-options.ts';
import type { Searcher } from './prove/searcher.ts';

/** A check: of what, for what, how, and with what. */
export interface Check {
  readonly code: Code;
  readonly checks: ReadonlySet<CheckName>;
  readonly options: CheckOptions;
  readonly timeLimitMs: number;
  readonly environment: EngineHost;
  readonly observer?: Observer;
}

/** The question to an engine. */
export interface Problem {
  readonly code: Code;
  /** The same for the interpreter. */
  readonly compiled: CompiledProgram;
  readonly checks: ReadonlySet<CheckName>;
  readonly options: CheckOptions;
  /** How far an engine with bounds is to look. */
  readonly stage: Stage;
  readonly observer: Observer;
  /** What concrete runs come across beside what they look for. */
  readonly notes?: RunNotes | undefined;
}

/** The time that an engine may spend. */
export interface TimeBudget {
  /** Never longer than this, by the clock of the environment. */
  readonly deadline: number;
  readonly environment: Pick<EngineHost, 'clock' | 'signal' | 'isProved'>;
}

/** What an engine may spend, and where it gets it from. */
export interface Budget extends TimeBudget {
  /** What it should take: some milliseconds, where they can be chosen. */
  readonly shareMs: number;
  readonly environment: EngineHost;
}

/** What the core is handed from outside. */
export interface EngineHost {
  /** Milliseconds. */
  readonly clock: () => number;
  /** Calls back after some time; the result cancels it. */
  readonly after: (ms: number, action: () => void) => () => void;
  /** One that works in the same thread asks `shouldStop` now and then, and is interrupted by it. */
  readonly createSolver: (shouldStop?: () => boolean) => Promise<SatSolver>;
  /** For very many small questions. */
  readonly createIncrementalSolvers: (shouldStop: () => boolean) => Promise<IncrementalSolvers>;
  /**
   * Asks for a proof of the same program elsewhere, beside all other work, or for what one of several searchers makes
   * of it; absent where there is no such place.
   */
  readonly proveAside?: ((timeLimitMs: number, searcher?: Searcher) => Promise<Outcome>) | undefined;
  /** Which of those that look for a proof side by side this thread is; null: the only one. */
  readonly searcher?: Searcher | null | undefined;
  /** Whether it has found one, also before this thread turns to its messages: engines end soon. */
  readonly isProved?: (() => boolean) | undefined;
  /** Aborted, it leaves no time: engines end soon. */
  readonly signal?: AbortSignal | undefined;
}

/** A violation as some engine sees it, to be replayed. */
export interface Candidate {
  readonly kind: 'candidate';
  readonly engine: EngineName;
  readonly bounds: CoveredBounds;
  readonly schedule: Schedule;
}

/** The embedded engines get a `Problem`; others say what they need (backends/backend-engine.ts). */
export interface Engine<P = Problem, B extends TimeBudget = Budget> {
  readonly name: EngineName;
  run(problem: P, budget: B): Promise<Outcome | Candidate>;
}

/** Is told how far a check has come, and shown what it works on; whoever wants to see little leaves methods out. */
export interface Observer {
  /** Something begins that may take a while. */
  onWork?(what: Work): void;
  onStage?(stage: Stage): void;
  onFormula?(stage: Stage, size: FormulaSize): void;
  onCovered?(coverage: Coverage): void;
  /** How far a proof has come. */
  onProof?(progress: ProofProgress): void;
  /** Time spent, by what it was spent on. */
  onTime?(what: Work, ms: number): void;
  /** After each symbolic execution, with its options. */
  onSteps?(stage: Stage, program: SteppedProgram, options: ExecuteOptions): void;
  /** The formula and the literals that are assumed to look for a violation. */
  onClauses?(stage: Stage, clauses: Int32Array, assumptions: readonly number[]): void;
}

/** Milliseconds that are left; none after an abort, and none where the answer is there. */
export function timeLeft({ deadline, environment }: TimeBudget): number {
  return environment.signal?.aborted || environment.isProved?.() ? 0 : deadline - environment.clock();
}

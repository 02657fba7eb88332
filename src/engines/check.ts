/**
 * The main job: does the program break? Concrete runs come first and go on between the stages (explore/) of the bounded
 * engine, whose bounds grow; each stage has a share of the time that is left. A schedule that the solver finds is
 * replayed by the interpreter before anybody sees it; one that does not replay is a fault of ours, never a verdict.
 */

import type { Experience } from '../execute/execute-program.ts';
import { type ExecuteOptions, LARGEST_EXECUTION } from '../execute/execution.ts';
import { type Cut, isUnsupported, type SteppedProgram } from '../execute/steps.ts';
import { ExecutionLimitError } from '../execute/unsupported.ts';
import type { CheckName, Code, Loop } from '../program/code.ts';
import type { SatSolver } from '../solver/solver.ts';
import { InvariantError } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { compileProgram } from '../trace/interpreter/compile-instructions.ts';
import { minimise } from '../trace/minimise.ts';
import { replayCompiled, type Schedule } from '../trace/replay.ts';
import type { Trace } from '../trace/trace.ts';
import { type Prepared, type PrepareOptions, prepare, type ValueAnalysisChoice } from './bounded/prepare.ts';
import type { ScheduleOptions } from './bounded/schedule.ts';
import { type FormulaSize, type SolveResult, solve } from './bounded/solve.ts';
import { DEFAULT_EXPLORE_LIMITS, type ExploreOptions, Explorer, scheduleOf } from './explore/explore.ts';
import { chooseStages, type Stage } from './stages.ts';

export interface CheckOptions {
  /** What the user fixed; null where the check may choose. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Context switches instead of rounds. */
  readonly contextSwitches: number | null;
  /** A bound for one loop or kind of loop, before the general one; null when there is none. */
  readonly unwindOf: (loop: Loop) => number | null;
  /** A bound for calls of a function in itself; null when there is none. */
  readonly recursionOf?: (functionName: string) => number | null;
  /** Loops with a constant number of iterations are unwound fully; so by default. */
  readonly unwindConstantLoops?: boolean;
  /** After the last round main goes on once more; so by default. */
  readonly closingMain?: boolean;
  readonly checks: ReadonlySet<CheckName>;
  readonly explore: boolean;
  readonly valueAnalysis: ValueAnalysisChoice;
  readonly seed: number;
  readonly timeLimitMs: number;
  readonly environment: CheckEnvironment;
  readonly listener: CheckListener;
  readonly inspector?: CheckInspector;
}

/** What the core is handed from outside. */
export interface CheckEnvironment {
  /** Milliseconds. */
  readonly clock: () => number;
  /** Calls back after some time; the result cancels it. */
  readonly after: (ms: number, action: () => void) => () => void;
  readonly createSolver: () => Promise<SatSolver>;
}

/** Is told how far the check has come. */
export interface CheckListener {
  onStage(stage: Stage): void;
  onFormula(stage: Stage, size: FormulaSize): void;
  onCovered(stage: Stage, cuts: readonly Cut[] | null): void;
  /** Time spent, by the name of what it was spent on. */
  /** `analyse`: executing until the values are stable. `execute`: the last time, which gives the steps. */
  onTime(what: 'explore' | 'analyse' | 'execute' | 'solve' | 'replay', ms: number): void;
}

/** Is shown what the check works on: for dumps and validation. */
export interface CheckInspector {
  /** After each symbolic execution, with its options. */
  onSteps(stage: Stage, program: SteppedProgram, options: ExecuteOptions): void;
  /** The formula and the literals that are assumed to look for a violation. */
  onClauses(stage: Stage, clauses: Int32Array, assumptions: readonly number[]): void;
}

export type CheckOutcome =
  | {
      readonly kind: 'unsafe';
      readonly trace: Trace;
      readonly engine: 'explore' | 'bounded';
      readonly stage: Stage | null;
    }
  /** Proved: no bound mattered. */
  | { readonly kind: 'safe'; readonly stage: Stage }
  /** `cuts`: what some execution within the bounds ran into; null when that is not known. */
  | {
      readonly kind: 'bounded';
      readonly stage: Stage;
      readonly cuts: readonly Cut[] | null;
      readonly reason: string | null;
    }
  | { readonly kind: 'unknown'; readonly reason: string; readonly loc: Loc | null };

/** Before constant loops are cut: steps of the program, and the time that a stage's execution may take. */
const QUICK_STEPS = 6_000;
const SHORTEST_EXECUTION_MS = 2_000;
const EXECUTION_SHARE = 0.15;
const MINIMISE_LIMITS = { instructionLimit: 2_000_000, timeLimitMs: 500, runLimit: 3_000 } as const;
/** A stage gets at least this long, and at least this share of what is left. */
const SHORTEST_STAGE_MS = 8_000;
const STAGE_SHARE = 0.35;
/** After a stage, concrete runs go on for this share of what it took. */
const EXPLORE_SHARE = 0.2;
const SHORTEST_EXPLORE_MS = 200;
const LONGEST_EXPLORE_MS = 3_000;

export async function check(code: Code, options: CheckOptions): Promise<CheckOutcome> {
  return new Check(code, options).run();
}

class Check {
  readonly #code: Code;
  readonly #options: CheckOptions;
  readonly #deadline: number;
  readonly #compiled: ReturnType<typeof compileProgram>;
  readonly #exploreOptions: ExploreOptions;
  readonly #explorer: Explorer;
  #covered: { stage: Stage; cuts: readonly Cut[] | null } | null = null;
  #prepared: { readonly unwind: number; readonly result: Prepared } | null = null;
  #problem: { reason: string; loc: Loc | null } | null = null;
  readonly #experience: Experience = { knowledge: null };
  /** Unwinding loops with a constant number of iterations made the program too large: so it will with larger bounds. */
  #hasLongLoops = false;

  constructor(code: Code, options: CheckOptions) {
    this.#code = code;
    this.#options = options;
    this.#deadline = options.environment.clock() + options.timeLimitMs;
    this.#compiled = compileProgram(code);
    const { checks, seed, environment } = options;
    this.#exploreOptions = { ...DEFAULT_EXPLORE_LIMITS, checks, seed, clock: environment.clock };
    this.#explorer = new Explorer(this.#compiled, this.#exploreOptions);
  }

  async run(): Promise<CheckOutcome> {
    const { environment, listener } = this.#options;
    let exploreMs: number = DEFAULT_EXPLORE_LIMITS.timeLimitMs;
    for (const planned of this.#stages()) {
      if (this.#timeLeft() <= 0) {
        this.#problem ??= { reason: 'time is up', loc: null };
        break;
      }
      const stage = this.#withoutNeedlessUnwinding(planned);
      if (this.#isPointless(stage)) continue;
      const found = this.#explore(exploreMs);
      if (found) return found;
      const start = environment.clock();
      listener.onStage(stage);
      const prepared = this.#prepareFor(stage);
      if (prepared.kind !== 'prepared') {
        this.#problem = { reason: prepared.reason, loc: prepared.kind === 'unsupported' ? prepared.loc : null };
        return this.#explore(LONGEST_EXPLORE_MS) ?? this.#conclude();
      }
      const outcome = await this.#solveStage(stage, prepared);
      if (outcome) return outcome;
      exploreMs = EXPLORE_SHARE * (environment.clock() - start);
    }
    return this.#conclude();
  }

  #stages(): readonly Stage[] {
    const { unwind, rounds, contextSwitches } = this.#options;
    return chooseStages(unwind, contextSwitches !== null ? contextSwitches + 1 : rounds);
  }

  #timeLeft(): number {
    return this.#deadline - this.#options.environment.clock();
  }

  #timed<T>(what: 'explore' | 'replay', action: () => T): T {
    const { clock } = this.#options.environment;
    const start = clock();
    const result = action();
    this.#options.listener.onTime(what, clock() - start);
    return result;
  }

  /** Concrete runs, more of them each time. */
  #explore(limitMs: number): CheckOutcome | null {
    if (!this.#options.explore || limitMs < SHORTEST_EXPLORE_MS) return null;
    const found = this.#timed('explore', () => {
      const { found } = this.#explorer.explore(Math.min(limitMs, LONGEST_EXPLORE_MS), this.#timeLeft());
      return found ? scheduleOf(this.#compiled, found, this.#exploreOptions) : null;
    });
    const trace = found && this.#replay(found);
    return trace && { kind: 'unsafe', trace, engine: 'explore', stage: null };
  }

  /** Where no execution was cut so far, more rounds may be enough: whether they lead to a cut is asked again. */
  #withoutNeedlessUnwinding(stage: Stage): Stage {
    const covered = this.#covered;
    return covered?.cuts?.length === 0 ? { ...stage, unwind: covered.stage.unwind } : stage;
  }

  /** No execution was cut at a smaller unwinding, so more unwinding changes nothing. */
  #isPointless(stage: Stage): boolean {
    const covered = this.#covered;
    return covered?.cuts?.length === 0 && stage.rounds <= covered.stage.rounds;
  }

  /** Stages that differ in their rounds only share one symbolic execution. */
  #prepareFor(stage: Stage): Prepared {
    if (this.#prepared?.unwind !== stage.unwind) {
      this.#prepared = { unwind: stage.unwind, result: this.#prepare(stage) };
    }
    return this.#prepared.result;
  }

  /**
   * Loops with a constant number of iterations are unwound fully, unless that makes the program so large that an early
   * stage would never end: then they are cut like all others, and the answer says so.
   */
  #prepare(stage: Stage): Prepared {
    const isOnly = this.#stages().length === 1;
    if (isOnly)
      return this.#execute(stage, this.#options.unwindConstantLoops ?? true, LARGEST_EXECUTION.steps, this.#deadline);
    const { clock } = this.#options.environment;
    if (this.#options.unwindConstantLoops === false || this.#hasLongLoops)
      return this.#execute(stage, false, LARGEST_EXECUTION.steps, this.#deadline);
    const quickDeadline = clock() + Math.max(SHORTEST_EXECUTION_MS, EXECUTION_SHARE * this.#timeLeft());
    const quick = this.#execute(stage, true, QUICK_STEPS, Math.min(quickDeadline, this.#deadline));
    if (quick.kind !== 'limit') return quick;
    this.#hasLongLoops = true;
    return this.#execute(stage, false, LARGEST_EXECUTION.steps, this.#deadline);
  }

  #execute(stage: Stage, unwindsConstantLoops: boolean, steps: number, deadline: number): Prepared {
    const { checks, unwindOf, valueAnalysis, inspector, environment, listener } = this.#options;
    const start = environment.clock();
    let lastStart = start;
    const options: PrepareOptions = {
      bounds: {
        unwind: (loop) => unwindOf(loop) ?? stage.unwind,
        isStrict: (loop) => unwindOf(loop) !== null || !unwindsConstantLoops,
        recursion: (name) => this.#options.recursionOf?.(name) ?? stage.unwind,
      },
      limits: {
        ...LARGEST_EXECUTION,
        steps,
        poll: () => {
          if (environment.clock() > deadline) throw new ExecutionLimitError('time is up');
        },
      },
      checks,
      valueAnalysis,
      onIteration: () => {
        lastStart = environment.clock();
      },
    };
    const prepared = prepare(this.#code, options, this.#experience);
    listener.onTime('analyse', lastStart - start);
    listener.onTime('execute', environment.clock() - lastStart);
    if (prepared.kind === 'prepared') inspector?.onSteps(stage, prepared.program, options);
    return prepared;
  }

  async #solveStage(stage: Stage, prepared: Extract<Prepared, { kind: 'prepared' }>): Promise<CheckOutcome | null> {
    const { contextSwitches, listener, environment } = this.#options;
    const schedule: ScheduleOptions = {
      kind: contextSwitches === null ? 'rounds' : 'contexts',
      slots: stage.rounds,
      closingMain: this.#options.closingMain ?? true,
    };
    const start = environment.clock();
    const result = await this.#solve(stage, prepared, schedule);
    listener.onTime('solve', environment.clock() - start);
    switch (result.kind) {
      case 'violation': {
        const trace = this.#replay(result.schedule);
        if (trace) return { kind: 'unsafe', trace, engine: 'bounded', stage };
        return { kind: 'unknown', reason: 'a number out of nowhere may be the address of an object', loc: null };
      }
      case 'unknown':
        this.#problem = { reason: this.#timeLeft() < 10 ? 'time is up' : result.reason, loc: null };
        return null;
      case 'none': {
        this.#problem = null;
        this.#covered = { stage, cuts: result.cuts };
        listener.onCovered(stage, result.cuts);
        const steps = prepared.program.threads.reduce((sum, thread) => sum + thread.steps.length, 0);
        const coversAll = prepared.program.threads.length === 1 || stage.rounds >= steps;
        if (result.cuts?.length !== 0 || !coversAll) return null;
        const [limit] = this.#code.limits;
        return limit === undefined ? { kind: 'safe', stage } : { kind: 'bounded', stage, cuts: [], reason: limit };
      }
    }
  }

  async #solve(
    stage: Stage,
    prepared: Extract<Prepared, { kind: 'prepared' }>,
    schedule: ScheduleOptions,
  ): Promise<SolveResult> {
    const { environment, listener, inspector } = this.#options;
    const isOnly = this.#stages().length === 1;
    const share = isOnly ? this.#timeLeft() : Math.max(SHORTEST_STAGE_MS, STAGE_SHARE * this.#timeLeft());
    let running: SatSolver | null = null;
    const cancel = environment.after(Math.min(share, this.#timeLeft()), () => running?.interrupt());
    try {
      return await solve(prepared.program, {
        schedule,
        createSolver: async () => {
          running = await environment.createSolver();
          return running;
        },
        onFormula: (size) => listener.onFormula(stage, size),
        onClauses: (clauses, assumptions) => inspector?.onClauses(stage, clauses, assumptions),
      });
    } finally {
      cancel();
    }
  }

  /** Replays a schedule and makes it short. Null if it depends on an address that the interpreter has elsewhere. */
  #replay(schedule: Schedule): Trace | null {
    const { checks, environment } = this.#options;
    return this.#timed('replay', () => {
      const replayed = replayCompiled(this.#compiled, schedule, { checks });
      if (replayed.kind === 'mismatch' && schedule.guessesAddress) return null;
      if (replayed.kind === 'mismatch')
        throw new InvariantError(`a counterexample does not replay: ${replayed.message}`);
      const { run, violation, trace } = replayed;
      const shorter = minimise(this.#compiled, run, violation, {
        ...MINIMISE_LIMITS,
        checks,
        clock: environment.clock,
      });
      return shorter?.trace ?? trace;
    });
  }

  #conclude(): CheckOutcome {
    const covered = this.#covered;
    const unsupported = covered?.cuts?.find(isUnsupported);
    if (unsupported) return { kind: 'unknown', reason: unsupported.where, loc: unsupported.loc };
    if (covered) return { kind: 'bounded', ...covered, reason: this.#problem?.reason ?? null };
    return { kind: 'unknown', reason: this.#problem?.reason ?? 'nothing was checked', loc: this.#problem?.loc ?? null };
  }
}

/**
 * The proof engine: is the program safe, without any bound on loops, threads and interleavings? Attempts differ in how
 * many threads a clause may speak of, in whether wide variables are seen by predicates or by bits, and in the width of
 * words. An invariant found among small words is a candidate for the full ones. Whatever is found is checked by a fresh
 * solver on a system built anew before it is said (check-invariant.ts).
 *
 * It finds no bugs: where an attempt fails, nothing is said.
 */

import { type ProofInvariant, printFact } from '../../outcome/invariant.ts';
import type { ProofProgress } from '../../outcome/progress.ts';
import type { CheckName } from '../../program/check-names.ts';
import type { Code } from '../../program/code.ts';
import type { IncrementalSolvers } from '../../solver/incremental-cadical.ts';
import { InvariantError } from '../../support/invariant.ts';
import type { Loc } from '../../support/source.ts';
import { bitsNeeded } from '../../values/bit-shape.ts';
import { buildSystem } from './build-system.ts';
import { keepInductive } from './check-invariant.ts';
import type { SpelledCube } from './clause-space.ts';
import { type Confirmation, confirmProof } from './confirm-proof.ts';
import { describeInvariant, describeMissing } from './describe-invariant.ts';
import { type ExcludedAccesses, findExcluded } from './find-excluded.ts';
import { findOpenWait } from './find-waits.ts';
import { FrameSolver, OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import { NotProvableError, type Variable } from './graph.ts';
import { runIc3 } from './ic3.ts';
import { findObservables, type ObservableOptions } from './observables.ts';
import { type ModelOptions, type PreparedModel, prepareModel } from './prepare-model.ts';
import { simplifyInvariant } from './simplify-invariant.ts';
import { smallestWidth } from './smallest-width.ts';
import type { TransitionSystem } from './transition-system.ts';

export interface ProveOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly timeLimitMs: number;
  /** What the second road gets at least, so far as there is time. */
  readonly confirmMs?: number;
  /** To leave out techniques, for measurements. */
  readonly techniques?: Partial<Techniques>;
}

export interface Techniques {
  readonly locks: boolean;
  readonly predicates: boolean;
  readonly smallWidth: boolean;
  readonly counting: boolean;
  readonly reduce: boolean;
}

export interface ProveEnvironment {
  /** Milliseconds. */
  readonly clock: () => number;
  readonly createSolvers: (shouldStop: () => boolean) => Promise<IncrementalSolvers>;
  readonly onProgress?: (progress: ProofProgress) => void;
}

/** How an attempt ended. */
export interface AttemptReport {
  readonly attempt: string;
  readonly outcome: string;
  readonly frames: number;
  readonly questions: number;
  readonly ms: number;
}

export type ProveOutcome =
  | {
      readonly kind: 'proved';
      readonly attempt: string;
      readonly clauses: number;
      readonly invariant: ProofInvariant;
      /** What no thread ever comes to. */
      readonly excluded: ExcludedAccesses;
      readonly confirmation: Confirmation;
      readonly attempts: readonly AttemptReport[];
    }
  | {
      readonly kind: 'unknown';
      readonly cause: 'unsupported' | 'time' | 'limit' | 'nothing';
      readonly reason: string;
      readonly loc: Loc | null;
      readonly attempts: readonly AttemptReport[];
    };

const ALL_TECHNIQUES: Techniques = { locks: true, predicates: true, smallWidth: true, counting: true, reduce: true };
/** What is proved where it is asked for: a new check that is no assertion in Code is not proved by chance. */
const PROVED_CHECKS: ReadonlySet<CheckName> = new Set<CheckName>([
  'assertion',
  'bounds',
  'pointer',
  'free',
  'division',
  'overflow',
  'shift',
  'mutex',
  'thread',
  'race',
  'deadlock',
  'unreachable',
  'unsupported',
]);
const NOTHING_FOUND =
  'no attempt found an invariant; what may help is one of your own, __lazuli_invariant(condition), or an assertion';
/** Variables with more bits are seen by predicates. */
const WIDEST = 6;
/** An attempt that is not the last gets this share of the time that is left. */
const ATTEMPT_SHARE = 0.4;
/** The second road may take so much longer than the attempt that found the proof, and at least so long. */
const CONFIRM_FACTOR = 2;
const SHORTEST_CONFIRM_MS = 4_000;

export async function prove(code: Code, options: ProveOptions, environment: ProveEnvironment): Promise<ProveOutcome> {
  const [limit] = code.limits;
  if (limit !== undefined) return unknown('limit', limit);
  const unchecked = [...options.checks].find((check) => !PROVED_CHECKS.has(check));
  if (unchecked) return unknown('unsupported', `the check '${unchecked}' is not proved`);
  const deadline = environment.clock() + options.timeLimitMs;
  const techniques = { ...ALL_TECHNIQUES, ...options.techniques };
  try {
    const poll = () => {
      if (environment.clock() > deadline) throw new OutOfTimeError();
    };
    const { reduce, locks } = techniques;
    const modelOptions: ModelOptions = { checks: options.checks, reduce, locks, poll };
    const prepared = prepareModel(code, modelOptions);
    let attemptDeadline = deadline;
    const solvers = await environment.createSolvers(() => environment.clock() > attemptDeadline);
    const run = new ProofSearch(code, prepared, techniques, solvers, environment, deadline, (ms) => {
      attemptDeadline = ms;
    });
    const outcome = run.run();
    if (outcome.kind !== 'found') return outcome;
    const wait = options.checks.has('deadlock') ? findOpenWait(code, prepared) : null;
    if (wait !== null) {
      const reason = `all checks are proved but 'deadlock': ${wait}`;
      return { ...unknown('nothing', reason), attempts: outcome.attempts };
    }
    const { attempt, checked, attempts } = outcome;
    const { clauses, invariant, excluded } = checked;
    const confirmation = run.confirm(outcome, modelOptions, options.confirmMs ?? SHORTEST_CONFIRM_MS);
    return { kind: 'proved', attempt: describe(attempt), clauses, invariant, excluded, confirmation, attempts };
  } catch (error) {
    if (error instanceof OutOfTimeError) return unknown('time', 'time is up');
    if (!(error instanceof NotProvableError)) throw error;
    return { ...unknown('unsupported', `cannot be proved: ${error.message}`), loc: error.loc };
  }
}

function unknown(cause: Extract<ProveOutcome, { kind: 'unknown' }>['cause'], reason: string) {
  return { kind: 'unknown', cause, reason, loc: null, attempts: [] as readonly AttemptReport[] } as const;
}

/** An invariant that was checked on the model it was found on. */
interface Found {
  readonly kind: 'found';
  readonly attempt: Attempt;
  readonly checked: CheckedInvariant;
  readonly attempts: readonly AttemptReport[];
}

interface CheckedInvariant {
  readonly clauses: number;
  readonly invariant: ProofInvariant;
  readonly excluded: ExcludedAccesses;
  /** Its system counts threads. */
  readonly isCounting: boolean;
}

interface Attempt {
  readonly views: number;
  readonly sees: 'predicates' | 'bits' | 'few predicates';
  readonly width: number | null;
}

class ProofSearch {
  readonly #code: Code;
  readonly #prepared: PreparedModel;
  readonly #techniques: Techniques;
  readonly #solvers: IncrementalSolvers;
  readonly #environment: ProveEnvironment;
  readonly #deadline: number;
  readonly #setDeadline: (ms: number) => void;
  readonly #attempts: AttemptReport[] = [];
  #attemptDeadline = 0;

  constructor(
    code: Code,
    prepared: PreparedModel,
    techniques: Techniques,
    solvers: IncrementalSolvers,
    environment: ProveEnvironment,
    deadline: number,
    setDeadline: (ms: number) => void,
  ) {
    this.#code = code;
    this.#prepared = prepared;
    this.#techniques = techniques;
    this.#solvers = solvers;
    this.#environment = environment;
    this.#deadline = deadline;
    this.#setDeadline = setDeadline;
  }

  run(): Found | Extract<ProveOutcome, { kind: 'unknown' }> {
    const plan = this.#plan();
    for (const [i, attempt] of plan.entries()) {
      const now = this.#environment.clock();
      if (now > this.#deadline) break;
      const isLast = i === plan.length - 1;
      this.#attemptDeadline = isLast ? this.#deadline : now + ATTEMPT_SHARE * (this.#deadline - now);
      this.#setDeadline(this.#attemptDeadline);
      const checked = this.#try(attempt);
      if (checked !== null) return { kind: 'found', attempt, checked, attempts: this.#attempts };
    }
    const isLate = this.#environment.clock() > this.#deadline;
    const found = isLate ? unknown('time', 'time is up') : unknown('nothing', NOTHING_FOUND);
    return { ...found, attempts: this.#attempts };
  }

  /** On the second road, which may take as long as the first did, and a little longer. */
  confirm({ attempt, checked: { isCounting } }: Found, model: ModelOptions, leastMs: number): Confirmation {
    const { clock } = this.#environment;
    const tookMs = this.#attempts.at(-1)?.ms ?? 0;
    const end = Math.min(this.#deadline, clock() + Math.max(leastMs, CONFIRM_FACTOR * tookMs));
    const poll = () => {
      if (clock() > this.#attemptDeadline) throw new OutOfTimeError();
    };
    return confirmProof(this.#code, {
      model: { ...model, poll },
      observables: this.#observableOptions(attempt),
      counting: isCounting,
      questions: (kind) => this.#questions(kind),
      startTry: (tries) => {
        this.#attemptDeadline = clock() + (end - clock()) / tries;
        this.#setDeadline(this.#attemptDeadline);
      },
    });
  }

  #plan(): Attempt[] {
    const { model } = this.#prepared;
    const isReplicated = model.bodies.some((body) => body.isReplicated);
    const isWide = model.variables.some((variable: Variable) => bitsNeeded(variable.set) > WIDEST);
    const views = isReplicated ? [1, 2] : [0];
    if (!isWide)
      return [...views, ...(isReplicated ? [3] : [])].map((each) => ({ views: each, sees: 'bits', width: null }));
    const width = this.#techniques.smallWidth ? smallestWidth(model) : null;
    const by = (sees: Attempt['sees'], at: number | null) =>
      views.map((each): Attempt => ({ views: each, sees, width: at }));
    if (!this.#techniques.predicates) return by('bits', null);
    return [
      ...(width === null ? [] : by('predicates', width)),
      ...by('predicates', null),
      ...by('bits', null),
      ...by('few predicates', width),
    ];
  }

  /** Null where there is no invariant, or none that holds in full. */
  #try(attempt: Attempt): CheckedInvariant | null {
    const start = this.#environment.clock();
    let solver: FrameSolver | null = null;
    const report = (outcome: string, frames: number) =>
      this.#attempts.push({
        attempt: describe(attempt),
        outcome,
        frames,
        questions: solver?.questions ?? 0,
        ms: this.#environment.clock() - start,
      });
    let frames = 0;
    try {
      const system = this.#system(attempt.views, attempt.width);
      const observables = findObservables(system, this.#prepared.model, this.#observableOptions(attempt));
      solver = new FrameSolver(system, observables, this.#questions('quick'));
      const found = runIc3(solver, errorCube(observables), {
        views: attempt.views,
        onFrame: (frame, clauses, questions) => {
          frames = frame;
          this.#environment.onProgress?.({ attempt: describe(attempt), frame, clauses, questions });
        },
      });
      if (found.kind === 'open') {
        const proof = { prepared: this.#prepared, system, space: solver.space, sources: this.#code.sources };
        const missing = found.before && printFact(describeMissing(proof, found.before));
        const open = 'a way to a violation that the abstraction cannot exclude';
        report(missing === null ? open : `${open}; it would need, for instance, "${missing}"`, found.frames);
        return null;
      }
      const { space } = solver;
      return this.#check(
        attempt,
        found.cubes.map((cube) => space.spell(cube)),
        report,
        found.frames,
      );
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      report('time was up', frames);
      return null;
    } finally {
      solver?.dispose();
    }
  }

  #check(
    attempt: Attempt,
    candidates: readonly SpelledCube[],
    report: (outcome: string, frames: number) => void,
    frames: number,
  ): CheckedInvariant | null {
    const system = this.#system(attempt.views, null);
    const observables = findObservables(system, this.#prepared.model, this.#observableOptions(attempt));
    const { solver, check } = keepInductive(system, observables, candidates, this.#questions('thorough'));
    if (check.kind === 'holds') {
      report('an invariant', frames);
      const isCounting = system.state.some(({ isGhost }) => isGhost);
      const excluded = findExcluded(solver, check.cubes, this.#prepared);
      const simple = simplifyInvariant(solver, check.cubes);
      solver.dispose();
      const { space } = solver;
      const proof = { prepared: this.#prepared, system, space, sources: this.#code.sources };
      return { clauses: check.cubes.length, invariant: describeInvariant(proof, simple), excluded, isCounting };
    }
    solver.dispose();
    if (attempt.width === null)
      throw new InvariantError(`an invariant fails its check: ${check.kept} of ${check.total} clauses are inductive`);
    report(`an invariant of small words, of which ${check.kept} of ${check.total} clauses hold in full`, frames);
    return null;
  }

  #system(views: number, width: number | null): TransitionSystem {
    const { model, steps } = this.#prepared;
    const poll = () => {
      if (this.#environment.clock() > this.#attemptDeadline) throw new OutOfTimeError();
    };
    return buildSystem(model, steps, { views, width, counting: this.#techniques.counting, sets: true, poll });
  }

  #observableOptions({ views, sees }: Attempt): ObservableOptions {
    const predicates = this.#techniques.predicates;
    return { widest: WIDEST, bitsOfWide: sees === 'bits', predicates, successors: sees !== 'few predicates', views };
  }

  #questions(kind: 'quick' | 'thorough'): QuestionOptions {
    const { clock } = this.#environment;
    return { solvers: this.#solvers, kind, isTimeUp: () => clock() > this.#attemptDeadline };
  }
}

function errorCube(observables: readonly { readonly key: string }[]): readonly number[] {
  return [observables.findIndex(({ key }) => key === 'error[0]') + 1];
}

function describe({ views, sees, width }: Attempt): string {
  const threads = views === 0 ? '' : `clauses about ${views === 1 ? 'one thread' : `${views} threads`}, `;
  return `${threads}${sees}${width === null ? '' : `, words of ${width} bits`}`;
}

/**
 * The search for an invariant on one model. Attempts differ in how many threads a clause may speak of, in whether wide
 * variables are seen by predicates or by bits, and in the width of words. An invariant found among small words is a
 * candidate for the full ones. Whatever is found is checked by a fresh solver on a system built anew before it is said
 * (check-invariant.ts).
 */

import { type ProofInvariant, printFact } from '../../outcome/invariant.ts';
import type { ProofProgress } from '../../outcome/progress.ts';
import type { Code } from '../../program/code.ts';
import type { IncrementalSolvers } from '../../solver/incremental-cadical.ts';
import { InvariantError } from '../../support/invariant.ts';
import { bitsNeeded } from '../../values/bit-shape.ts';
import { buildSystem } from './build-system.ts';
import { type FoundClauses, keepInductive, spellFound } from './check-invariant.ts';
import { type Cube, errorCube, type SpelledCube } from './clause-space.ts';
import { type Confirmation, confirmProof } from './confirm-proof.ts';
import { describeInvariant, describeMissing } from './describe-invariant.ts';
import { type ExcludedAccesses, findExcluded } from './find-excluded.ts';
import { FrameSolver, OutOfTimeError, type QuestionOptions } from './frame-solver.ts';
import type { Variable } from './graph.ts';
import { Ic3 } from './ic3.ts';
import { inductiveAmong } from './inductive-subset.ts';
import { lockLemmas } from './lock-lemmas.ts';
import { findObservables, gainsTogether, type Observable, type ObservableOptions } from './observables.ts';
import { peerLemmas } from './peer-lemmas.ts';
import { placeLemmas } from './place-lemmas.ts';
import type { ModelOptions, PreparedModel } from './prepare-model.ts';
import { canSearchStates, confirmByStates, hasFixedThreads, searchStates } from './search-states.ts';
import type { Searcher } from './searcher.ts';
import { simplifyInvariant } from './simplify-invariant.ts';
import { smallestWidth } from './smallest-width.ts';
import { TOO_MANY, VIOLATION } from './state-steps.ts';
import type { TransitionSystem } from './transition-system.ts';

/** Variables with more bits are seen by predicates. */
const WIDEST = 6;
/** First every attempt gets this share of the time that is left, and at least so long: most proofs are short. */
const FIRST_SHARE = 0.025;
const SHORTEST_ATTEMPT_MS = 1_000;
/** The number of states limits this first. */
const ENUMERATION_SHARE = 0.25;
const SHORTEST_ENUMERATION_MS = 3_000;
/**
 * What was found is checked at full width for this share of the time on the model, and at least so long, even if the
 * attempt has less time left: nothing else is as likely to become a proof.
 */
const CHECK_SHARE = 0.5;
const SHORTEST_CHECK_MS = 5_000;
/** With candidates about places there is more to look at, and mostly little left to find: so many times as long. */
const PLACES_FACTOR = 8;
/** Then those that were not done go on, one after the other: one that is not the last gets this share. */
const ATTEMPT_SHARE = 0.4;
/** Candidates for what joins need may take so long. */
const LEMMAS_SHARE = 0.1;
const SHORTEST_LEMMAS_MS = 3_000;
/** The second road may take so much longer than the attempt that found the proof. */
const CONFIRM_FACTOR = 2;
/** There are several times as many states, and no more to learn about them. */
const STATES_FACTOR = 2;

export interface Techniques {
  readonly locks: boolean;
  readonly predicates: boolean;
  readonly smallWidth: boolean;
  readonly counting: boolean;
  readonly reduce: boolean;
  readonly enumeration: boolean;
}

export interface SearchEnvironment {
  /** Milliseconds. */
  readonly clock: () => number;
  readonly solvers: IncrementalSolvers;
  /** Solvers give up at that time. */
  readonly setDeadline: (ms: number) => void;
  readonly onProgress?: (progress: ProofProgress) => void;
  /** Of the attempts on a model, every so manieth is made here; the others elsewhere. */
  readonly searcher: Searcher;
}

/** How an attempt ended. */
export interface AttemptReport {
  readonly attempt: string;
  readonly outcome: string;
  readonly frames: number;
  readonly questions: number;
  readonly ms: number;
}

/** A proof on the model it was found on: an invariant that was checked, or all states. */
export interface Found {
  readonly kind: 'found';
  readonly attempt: string;
  readonly evidence: Evidence;
  readonly invariant: ProofInvariant;
  readonly excluded: ExcludedAccesses;
  /** On the second road, which may take as long as the first did, a little longer, and at least so long. */
  readonly confirm: (leastMs: number) => Confirmation;
  readonly attempts: readonly AttemptReport[];
}

/** What was found: so many clauses of an invariant, or states that cover all that is reached, or views of threads. */
export interface Evidence {
  readonly kind: 'clauses' | 'states' | 'views';
  readonly count: number;
}

interface RunningAttempt {
  readonly system: TransitionSystem;
  readonly solver: FrameSolver;
  readonly search: Ic3;
}

/** No attempt found one; `isLate` where time was up. */
export interface NotFound {
  readonly kind: 'not found';
  readonly isLate: boolean;
  readonly attempts: readonly AttemptReport[];
}

interface CheckedInvariant {
  readonly clauses: number;
  readonly invariant: ProofInvariant;
  readonly excluded: ExcludedAccesses;
  /** Its system counts threads. */
  readonly isCounting: boolean;
}

export interface ProofAttempt {
  readonly views: number;
  readonly sees: 'predicates' | 'bits' | 'few predicates' | 'more predicates';
  readonly width: number | null;
  /** Begins with candidates about places (place-lemmas.ts). */
  readonly places: boolean;
}

export class ProofSearch {
  readonly #code: Code;
  readonly #prepared: PreparedModel;
  readonly #model: ModelOptions;
  readonly #techniques: Techniques;
  readonly #environment: SearchEnvironment;
  readonly #deadline: number;
  readonly #attempts: AttemptReport[] = [];
  /** By what clauses speak of: attempts that would be the same. */
  readonly #attemptOf = new Map<string, ProofAttempt>();
  /** Searches that ran out of time, to go on with. */
  readonly #paused = new Map<ProofAttempt, RunningAttempt>();
  readonly #lemmas = new Map<string, readonly SpelledCube[]>();
  #attemptDeadline = 0;
  /** Too many to enumerate before other attempts. */
  #hasManyStates = false;

  /** `model`: how the prepared one was made. */
  constructor(
    code: Code,
    prepared: PreparedModel,
    model: ModelOptions,
    techniques: Techniques,
    environment: SearchEnvironment,
    deadline: number,
  ) {
    this.#code = code;
    this.#prepared = prepared;
    this.#model = model;
    this.#techniques = techniques;
    this.#environment = environment;
    this.#deadline = deadline;
  }

  /** `isBrief`: attempts that ran out of time do not go on. `most`: only the first ones are made. */
  run(isBrief: boolean, most = Number.POSITIVE_INFINITY): Found | NotFound {
    const plan = this.#plan().slice(0, most);
    const { clock, searcher } = this.#environment;
    const open: ProofAttempt[] = [];
    // Views are of two threads in most cases, as the clauses of the second attempt.
    const early = Math.min(hasFixedThreads(this.#prepared.model) ? 0 : 1, plan.length - 1);
    const tryFor = (attempt: ProofAttempt, ms: number): Found | null => {
      if (clock() > this.#deadline) return null;
      this.#setAttemptDeadline(Math.min(this.#deadline, clock() + ms));
      const checked = this.#try(attempt, () => open.push(attempt));
      return checked && this.#found(attempt, checked);
    };
    for (const [i, attempt] of plan.entries()) {
      if (i % searcher.of !== searcher.index) continue;
      const shareMs = Math.max(SHORTEST_ATTEMPT_MS, FIRST_SHARE * (this.#deadline - clock()));
      const found = tryFor(attempt, attempt.places ? PLACES_FACTOR * shareMs : shareMs);
      if (found) return found;
      // After those which find the easy invariants: these tell more than states do.
      const enumerated = i === early ? this.#enumerate() : null;
      if (enumerated !== null) return enumerated;
    }
    const again = isBrief || !this.#hasManyStates ? null : this.#enumerate(true);
    if (again !== null) return again;
    const left = isBrief ? [] : open.splice(0);
    for (const [i, attempt] of left.entries()) {
      const isLast = i === left.length - 1;
      const found = tryFor(attempt, (isLast ? 1 : ATTEMPT_SHARE) * (this.#deadline - clock()));
      if (found) return found;
    }
    return { kind: 'not found', isLate: clock() > this.#deadline, attempts: this.#attempts };
  }

  #found(attempt: ProofAttempt, { clauses, invariant, excluded, isCounting }: CheckedInvariant): Found {
    const confirm = (leastMs: number) => {
      const { clock } = this.#environment;
      const end = this.#endOfConfirmation(leastMs);
      return confirmProof(this.#code, {
        model: { ...this.#model, poll: () => this.#poll() },
        observables: this.#observableOptions(attempt),
        counting: isCounting,
        width: attempt.width,
        places: attempt.places,
        questions: this.#questions(),
        startTry: (share) => this.#setAttemptDeadline(clock() + share * (end - clock())),
      });
    };
    const evidence = { kind: 'clauses', count: clauses } as const;
    const shown = { attempt: describeAttempt(attempt), evidence, invariant, excluded };
    return { kind: 'found', ...shown, confirm, attempts: this.#attempts };
  }

  #endOfConfirmation(leastMs: number): number {
    const tookMs = leastMs === 0 ? 0 : (this.#attempts.at(-1)?.ms ?? 0);
    return Math.min(this.#deadline, this.#environment.clock() + Math.max(leastMs, CONFIRM_FACTOR * tookMs));
  }

  #setAttemptDeadline(ms: number): void {
    this.#attemptDeadline = ms;
    this.#environment.setDeadline(ms);
  }

  #poll(): void {
    if (this.#environment.clock() > this.#attemptDeadline) throw new OutOfTimeError();
  }

  /** All states, where that is not too many. Where one of them is an error, no other attempt excludes it. */
  #enumerate(isPatient = false): Found | NotFound | null {
    if (!this.#techniques.enumeration || !canSearchStates(this.#prepared)) return null;
    const { clock } = this.#environment;
    const start = clock();
    const isFixed = hasFixedThreads(this.#prepared.model);
    const attempt = isFixed ? 'all states' : 'all views of a few threads';
    const report = (outcome: string) =>
      this.#attempts.push({ attempt, outcome, frames: 0, questions: 0, ms: clock() - start });
    const options = { model: this.#model, questions: this.#questions(), poll: () => this.#poll(), isPatient };
    const shareMs = Math.max(SHORTEST_ENUMERATION_MS, ENUMERATION_SHARE * (this.#deadline - start));
    this.#setAttemptDeadline(Math.min(this.#deadline, start + shareMs));
    try {
      const proof = searchStates(this.#code, this.#prepared, options);
      report(proof.kind === 'open' ? proof.reason : 'enumerated');
      this.#hasManyStates = proof.kind === 'open' && proof.reason === TOO_MANY;
      if (proof.kind === 'open')
        return isFixed && proof.reason === VIOLATION
          ? { kind: 'not found', isLate: false, attempts: this.#attempts }
          : null;
      const { invariant, excluded, states } = proof;
      const confirm = (leastMs: number) => {
        this.#setAttemptDeadline(this.#endOfConfirmation(STATES_FACTOR * leastMs));
        return confirmByStates(this.#code, { ...options, model: { ...this.#model, poll: () => this.#poll() } });
      };
      const evidence = { kind: isFixed ? 'states' : 'views', count: states } as const;
      return { kind: 'found', attempt, evidence, invariant, excluded, confirm, attempts: this.#attempts };
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      report('time was up');
      return null;
    }
  }

  #plan(): ProofAttempt[] {
    const { model } = this.#prepared;
    const isReplicated = model.bodies.some((body) => body.isReplicated);
    const isWide = model.variables.some((variable: Variable) => bitsNeeded(variable.set) > WIDEST);
    const views = isReplicated ? [1, 2] : [0];
    if (!isWide)
      return [...views, ...(isReplicated ? [3] : [])].map((each) => ({
        views: each,
        sees: 'bits',
        width: null,
        places: false,
      }));
    const width = this.#techniques.smallWidth ? smallestWidth(model) : null;
    const by = (sees: ProofAttempt['sees'], at: number | null) =>
      views.map((each): ProofAttempt => ({ views: each, sees, width: at, places: false }));
    if (!this.#techniques.predicates) return by('bits', null);
    // It takes long; variables of two threads are compared. Before the full words, where small ones did not do: what is
    // not found among these is hardly found there.
    const places: ProofAttempt = { views: isReplicated ? 2 : 0, sees: 'few predicates', width, places: true };
    const isEarly = isReplicated && model.peers.length === 0 && width !== null;
    const more = gainsTogether(model, WIDEST) ? (['more predicates'] as const) : [];
    // Ghosts that count are for comparisons that need one another.
    const counting = views.map((each): ProofAttempt => ({ views: each, sees: 'few predicates', width, places: true }));
    return [
      ...(model.passages === null && model.additions.size === 0 ? [] : counting),
      // Joins need no more than an order of numbers.
      ...(model.peers.length === 0 || width === null ? [] : by('few predicates', width)),
      ...(width === null ? [] : by('predicates', width)),
      // What is measured in bytes wraps in small words.
      ...(model.peers.length === 0 || width === null ? [] : by('few predicates', null).slice(0, 1)),
      // Among small words a short search, which counters of threads need at times: they are wide variables as well.
      ...(model.peers.length === 0 && width !== null ? by('few predicates', width) : []),
      ...(isEarly ? [places] : []),
      ...by('predicates', null),
      ...more.flatMap((sees) => by(sees, width)),
      ...by('bits', null),
      ...(width === null ? by('few predicates', width) : []),
      ...(width === null ? [] : more.flatMap((sees) => by(sees, null))),
      ...(isEarly ? [] : [places]),
    ];
  }

  /** Null where there is no invariant, or none that holds in full; `onLate` is told where time was up. */
  #try(attempt: ProofAttempt, onLate: () => void): CheckedInvariant | null {
    const start = this.#environment.clock();
    let running: RunningAttempt | null = null;
    const report = (outcome: string, frames: number) =>
      this.#attempts.push({
        attempt: describeAttempt(attempt),
        outcome,
        frames,
        questions: running?.solver.questions ?? 0,
        ms: this.#environment.clock() - start,
      });
    try {
      running = this.#paused.get(attempt) ?? this.#start(attempt);
      if (running === null) return null;
      const found = running.search.run();
      if (found.kind === 'open') {
        const missing = found.before && this.#describeMissing(running, found.before);
        const open = 'a way to a violation that the abstraction cannot exclude';
        report(missing === null ? open : `${open}; it would need, for instance, "${missing}"`, found.frames);
        return null;
      }
      const clauses = spellFound(running.solver, [...running.solver.lemmas, ...found.cubes]);
      return this.#check(attempt, clauses, report, found.frames);
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      report('time was up', running === null ? 0 : running.solver.frames.length - 1);
      if (running) this.#paused.set(attempt, running);
      onLate();
      return null;
    } finally {
      running?.solver.dispose();
    }
  }

  /** Null where another attempt is the same. */
  #start(attempt: ProofAttempt): RunningAttempt | null {
    const system = this.#system(attempt, attempt.width);
    const observables = findObservables(system, this.#prepared.model, this.#observableOptions(attempt));
    if (this.#isSameAsOther(attempt, observables)) return null;
    const solver = new FrameSolver(system, observables, this.#questions());
    if (attempt.places || this.#prepared.model.peers.length > 0) this.#addLemmas(solver, attempt);
    const search = new Ic3(solver, errorCube(observables), {
      views: attempt.views,
      onFrame: (frame, clauses, questions) =>
        this.#environment.onProgress?.({ attempt: describeAttempt(attempt), frame, clauses, questions }),
    });
    return { system, solver, search };
  }

  /**
   * What joins need, found once for all attempts in clauses about as many threads, or what holds at places, in a time
   * of its own.
   */
  #addLemmas(solver: FrameSolver, { views, places, width }: ProofAttempt): void {
    const { clock, setDeadline } = this.#environment;
    const { space } = solver;
    const { model } = this.#prepared;
    const key = `${views} ${width}`;
    const known = places ? undefined : this.#lemmas.get(key)?.flatMap((each) => [space.read(each) ?? []]);
    const before = { deadline: this.#attemptDeadline, at: clock() };
    this.#attemptDeadline = Math.min(
      this.#deadline,
      before.at + Math.max(SHORTEST_LEMMAS_MS, LEMMAS_SHARE * (this.#deadline - before.at)),
    );
    setDeadline(this.#attemptDeadline);
    try {
      const fresh = () => [
        ...peerLemmas(this.#prepared, space),
        ...(places ? [...lockLemmas(this.#prepared, space), ...placeLemmas(model, space)] : []),
      ];
      const candidates = known?.filter((cube) => cube.length > 0) ?? fresh();
      solver.lemmas = inductiveAmong(solver, candidates);
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
    }
    solver.frames = [[]];
    if (!known && !places)
      this.#lemmas.set(
        key,
        solver.lemmas.map((cube) => space.spell(cube)),
      );
    this.#attemptDeadline = Math.min(this.#deadline, before.deadline + clock() - before.at);
    setDeadline(this.#attemptDeadline);
  }

  #describeMissing({ system, solver: { space } }: RunningAttempt, before: Cube): string {
    const proof = { prepared: this.#prepared, system, space, sources: this.#code.sources };
    return printFact(describeMissing(proof, before));
  }

  #isSameAsOther(attempt: ProofAttempt, observables: readonly Observable[]): boolean {
    const { width, views, places } = attempt;
    const key = `${width} ${views} ${places} ${observables.map((each) => `${each.key}|${each.slots.join()}`).join(';')}`;
    const known = this.#attemptOf.get(key) ?? attempt;
    this.#attemptOf.set(key, known);
    return known !== attempt;
  }

  #check(
    attempt: ProofAttempt,
    clauses: FoundClauses,
    report: (outcome: string, frames: number) => void,
    frames: number,
  ): CheckedInvariant | null {
    const now = this.#environment.clock();
    const checkEnd = now + Math.max(SHORTEST_CHECK_MS, CHECK_SHARE * (this.#deadline - now));
    if (checkEnd > this.#attemptDeadline) this.#setAttemptDeadline(Math.min(this.#deadline, checkEnd));
    const system = this.#system(attempt, null);
    const observables = findObservables(system, this.#prepared.model, this.#observableOptions(attempt));
    const { solver, check } = keepInductive(system, observables, clauses, this.#questions());
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

  #system({ views, places }: ProofAttempt, width: number | null): TransitionSystem {
    const { model, steps } = this.#prepared;
    const { counting } = this.#techniques;
    const [deadlocks, poll] = [this.#model.waits, () => this.#poll()];
    return buildSystem(model, steps, { views, width, counting, sets: true, deadlocks, poll, keepsDead: places });
  }

  #observableOptions({ views, sees, places: sums }: ProofAttempt): ObservableOptions {
    const { predicates } = this.#techniques;
    const [successors, together] = [sees !== 'few predicates', sees === 'more predicates'];
    return { widest: WIDEST, bitsOfWide: sees === 'bits', predicates, successors, together, sums, views };
  }

  #questions(): QuestionOptions {
    const { clock, solvers } = this.#environment;
    return { solvers, isTimeUp: () => clock() > this.#attemptDeadline };
  }
}

function describeAttempt({ views, sees, width, places }: ProofAttempt): string {
  const threads = views === 0 ? '' : `clauses about ${views === 1 ? 'one thread' : `${views} threads`}, `;
  const first = places ? ', candidates for places' : '';
  return `${threads}${sees}${first}${width === null ? '' : `, words of ${width} bits`}`;
}

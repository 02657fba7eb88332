/**
 * The proof engine: is the program safe, without any bound on loops, threads and interleavings? One model after the
 * other is searched for an invariant (search-proof.ts): threads that begin alike taken for any number of threads, the
 * model in which that all are stuck is an error, and the program as it is.
 *
 * It finds no bugs: where an attempt fails, nothing is said.
 */

import type { ProofInvariant } from '../../outcome/invariant.ts';
import type { ProofProgress } from '../../outcome/progress.ts';
import type { CheckName } from '../../program/check-names.ts';
import type { Code } from '../../program/code.ts';
import type { IncrementalSolvers } from '../../solver/incremental-cadical.ts';
import type { Loc } from '../../support/source.ts';
import type { Confirmation } from './confirm-proof.ts';
import { hasLoopedAdditions } from './count-additions.ts';
import { hasLoopedPassages, hasPassages, hasTurns } from './count-passages.ts';
import type { ExcludedAccesses } from './find-excluded.ts';
import { findOpenCircle, findOpenWait } from './find-waits.ts';
import { hasCounters } from './forget-counters.ts';
import { OutOfTimeError } from './frame-solver.ts';
import { ManyThreadsError, type Model, NotProvableError, RepeatedAllocationError, SHARED } from './graph.ts';
import { inlineThreads } from './inline-threads.ts';
import { type ModelOptions, type PreparedModel, prepareModel } from './prepare-model.ts';
import {
  type AttemptReport,
  type Evidence,
  type Found,
  type NotFound,
  ProofSearch,
  type SearchEnvironment,
  type Techniques,
} from './search-proof.ts';
import type { Searcher } from './searcher.ts';

export interface ProveOptions {
  readonly checks: ReadonlySet<CheckName>;
  readonly timeLimitMs: number;
  /** The proof is to carry over to TSO and PSO (carry-over.ts); `race` is among the checks then. */
  readonly isWeak?: boolean;
  /** What the second road gets at least, so far as there is time; with 0 it is not taken. */
  readonly confirmMs?: number;
  /** To leave out techniques, for measurements. */
  readonly techniques?: Partial<Techniques>;
}

export interface ProveEnvironment {
  /** Milliseconds. */
  readonly clock: () => number;
  readonly createSolvers: (shouldStop: () => boolean) => Promise<IncrementalSolvers>;
  readonly onProgress?: (progress: ProofProgress) => void;
  /** The search is given up where this says so. */
  readonly mustStop?: () => boolean;
  /** Of several that share the attempts. */
  readonly searcher?: Searcher | null | undefined;
}

export type ProveOutcome =
  | {
      readonly kind: 'proved';
      readonly attempt: string;
      readonly evidence: Evidence;
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

const ALL_TECHNIQUES: Techniques = {
  locks: true,
  predicates: true,
  smallWidth: true,
  counting: true,
  reduce: true,
  enumeration: true,
};
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
/** So many threads that begin alike are taken for any number of them, with this share of the time. */
const LEAST_CROWD = 4;
const CROWD_SHARE = 0.4;
/** How allocations that may run any number of times are tried, and with which share of the time each but the last. */
const HEAPS: readonly Pick<ModelOptions, 'instances' | 'ownHeap'>[] = [
  { instances: 1, ownHeap: true },
  { instances: 1, ownHeap: false },
  { instances: 2, ownHeap: false },
  { instances: 3, ownHeap: false },
];
const HEAP_SHARE = 0.4;
/** Without an element of arrays that is followed, where one could be, at most; then with one. */
const BLURRED_SHARE = 0.2;
const ELEMENTS_SHARE = 0.8;
/** Where main is taken to be alone after its joins. */
const ENDING_SHARE = 0.5;
/** Where loops of threads of any number are copied. */
const UNROLLED_SHARE = 0.4;
/** Where threads of any number count how often they add, in loops. */
const TURNS_SHARE = 0.4;
/** Where ghosts count what threads of any number write. */
const PASSAGES_SHARE = 0.5;
/** Where ghosts count what fixed threads add, after so many attempts without. */
const ADDITIONS_SHARE = 0.4;
const FIRST_FEW = 2;
/** Where loops that count may end at any time. */
const FORGET_SHARE = 0.3;
/** Where deadlocks are errors of the system, the search for all there is gets this share. */
const DEADLOCK_SHARE = 0.7;
/** The second road gets at least so long. */
const SHORTEST_CONFIRM_MS = 4_000;

export async function prove(code: Code, options: ProveOptions, environment: ProveEnvironment): Promise<ProveOutcome> {
  const [limit] = code.limits;
  if (limit !== undefined) return unknown('limit', limit);
  const unchecked = [...options.checks].find((check) => !PROVED_CHECKS.has(check));
  if (unchecked) return unknown('unsupported', `the check '${unchecked}' is not proved`);
  const { onProgress, mustStop } = environment;
  const searcher = environment.searcher ?? { index: 0, of: 1 };
  const deadline = environment.clock() + options.timeLimitMs;
  // Whoever has to stop sees that time is up.
  const clock = () => (mustStop?.() ? deadline + 1 : environment.clock());
  let solverDeadline = deadline;
  const solvers = await environment.createSolvers(() => clock() > solverDeadline);
  const setDeadline = (ms: number) => {
    solverDeadline = ms;
  };
  try {
    return new ModelSearch(
      code,
      options,
      { clock, solvers, setDeadline, searcher, ...(onProgress && { onProgress }) },
      deadline,
    ).run();
  } catch (error) {
    if (error instanceof OutOfTimeError) return unknown('time', 'time is up');
    if (!(error instanceof NotProvableError)) throw error;
    return { ...unknown('unsupported', `cannot be proved: ${error.message}`), loc: error.loc };
  }
}

function unknown(cause: Extract<ProveOutcome, { kind: 'unknown' }>['cause'], reason: string) {
  return { kind: 'unknown', cause, reason, loc: null, attempts: [] as readonly AttemptReport[] } as const;
}

class ModelSearch {
  readonly #code: Code;
  readonly #options: ProveOptions;
  readonly #environment: SearchEnvironment;
  readonly #techniques: Techniques;
  readonly #deadline: number;
  readonly #attempts: AttemptReport[] = [];
  /** Why a wait may last for ever, by what was found out of a model. */
  readonly #openWaits = new WeakMap<PreparedModel, string | null>();
  /** When the searches on the present model end. */
  #end: number;
  #modelName = '';
  /** Attempts get their first share only. */
  #isBrief = false;
  /** Whether some allocations are each thread's own; so long as that is not known, they may be. */
  #hasOwnHeap = true;

  constructor(code: Code, options: ProveOptions, environment: SearchEnvironment, deadline: number) {
    this.#code = code;
    this.#options = options;
    this.#environment = environment;
    this.#techniques = { ...ALL_TECHNIQUES, ...options.techniques };
    this.#deadline = deadline;
    this.#end = deadline;
  }

  run(): ProveOutcome {
    try {
      return this.#runOn(this.#modelOptions());
    } catch (error) {
      if (!(error instanceof RepeatedAllocationError)) throw error;
      return this.#tryInstances(error);
    }
  }

  /** Allocations that may run any number of times: with more and more objects for each place (heap-instances.ts). */
  #tryInstances(refused: RepeatedAllocationError): ProveOutcome {
    let last: ProveOutcome | null = null;
    let reason: NotProvableError = refused;
    for (const [i, heap] of HEAPS.entries()) {
      if (!heap.ownHeap && heap.instances === 1 && !this.#hasOwnHeap) continue;
      const now = this.#environment.clock();
      const end = i === HEAPS.length - 1 ? this.#deadline : now + HEAP_SHARE * (this.#deadline - now);
      this.#end = end;
      this.#modelName = describeHeap(heap);
      try {
        last = this.#runOn({ ...this.#modelOptions(), ...heap });
        if (last.kind === 'proved') return last;
      } catch (error) {
        if (!(error instanceof NotProvableError)) throw error;
        reason = error;
      }
    }
    if (last !== null) return { ...last, attempts: this.#attempts };
    throw reason;
  }

  /**
   * First with arrays that hold anything, each attempt for a short time; then, where that matters, with one element of
   * each; and where that fails, with what is left of the time for the first.
   */
  #runOn(model: ModelOptions): ProveOutcome {
    // Before they are made one by one, which takes long where they are many.
    const crowd = this.#hasCrowd(model) ? this.#tryCrowd(model) : null;
    if (crowd) return crowd;
    const prepared = prepareModel(this.#code, model);
    const options = { ...model, elements: true };
    const withElement = readsBlurred(prepared.model) ? this.#prepareIfPossible(options) : null;
    if (withElement === null) return this.#runOnPrepared(model, prepared);
    const [end, name] = [this.#end, this.#modelName];
    const shareOf = (share: number) => this.#environment.clock() + share * (end - this.#environment.clock());
    [this.#isBrief, this.#end] = [true, shareOf(BLURRED_SHARE)];
    const first = this.#runOnPrepared(model, prepared);
    [this.#isBrief, this.#end] = [false, shareOf(ELEMENTS_SHARE)];
    if (first.kind === 'proved') return first;
    this.#modelName = `${name}one element of each array, `;
    const second = this.#runOnPrepared(options, withElement);
    [this.#end, this.#modelName] = [end, name];
    return second.kind === 'proved' ? second : this.#runOnPrepared(model, prepared);
  }

  #hasCrowd(model: ModelOptions): boolean {
    try {
      return hasCrowd(inlineThreads(this.#code, model));
    } catch (error) {
      if (!(error instanceof ManyThreadsError)) throw error;
      return true;
    }
  }

  #prepareIfPossible(options: ModelOptions): PreparedModel | null {
    try {
      return prepareModel(this.#code, options);
    } catch (error) {
      if (!(error instanceof NotProvableError)) throw error;
      return null;
    }
  }

  #runOnPrepared(model: ModelOptions, prepared: PreparedModel): ProveOutcome {
    this.#hasOwnHeap = prepared.model.objects.some(({ kind, owner }) => kind === 'heap' && owner !== SHARED);
    const proved =
      (model.elements && hasCrowd(prepared.model) ? this.#tryCrowd(model) : null) ??
      this.#tryForgetting(model, prepared) ??
      this.#tryTurns(model, prepared) ??
      this.#tryUnrolled(model, prepared) ??
      this.#tryEnding(model, prepared) ??
      this.#tryPassages(model, prepared) ??
      this.#tryAdditions(model, prepared) ??
      this.#tryWithDeadlocks(model, prepared);
    if (proved) return proved;
    const wait = this.#openWait(model, prepared);
    const found = this.#search(model, prepared, 1, wait === null ? '' : 'without deadlocks, ');
    if (found.kind === 'proved') {
      if (wait === null) return found;
      return { ...unknown('nothing', `all checks are proved but 'deadlock': ${wait}`), attempts: this.#attempts };
    }
    const open = found.isLate ? unknown('time', 'time is up') : unknown('nothing', NOTHING_FOUND);
    return { ...open, attempts: this.#attempts };
  }

  #modelOptions(): ModelOptions {
    const { reduce, locks } = this.#techniques;
    const poll = () => {
      if (this.#environment.clock() > this.#deadline) throw new OutOfTimeError();
    };
    return {
      checks: this.#options.checks,
      reduce,
      locks,
      replicate: false,
      instances: 0,
      ownHeap: false,
      ending: false,
      elements: false,
      passages: false,
      turns: false,
      additions: false,
      forget: false,
      unroll: false,
      waits: false,
      isWeak: this.#options.isWeak ?? false,
      poll,
    };
  }

  /** Of a model that was prepared with these options. */
  #openWait(options: ModelOptions, prepared: PreparedModel): string | null {
    if (!this.#options.checks.has('deadlock')) return null;
    const known = this.#openWaits.get(prepared);
    if (known !== undefined) return known;
    const open = findOpenWait(this.#code, prepared, () => prepareModel(this.#code, { ...options, waits: true }));
    this.#openWaits.set(prepared, open);
    return open;
  }

  /** Any number of threads instead of several that begin alike. Where that cannot be represented, nothing is lost. */
  #tryCrowd(given: ModelOptions): ProveOutcome | null {
    const options = { ...given, replicate: true };
    try {
      const prepared = prepareModel(this.#code, options);
      const ended =
        this.#tryForgetting(options, prepared, 'any number of threads, ') ??
        this.#tryTurns(options, prepared, 'any number of threads, ') ??
        this.#tryUnrolled(options, prepared, 'any number of threads, ') ??
        this.#tryEnding(options, prepared, CROWD_SHARE, 'any number of threads, ');
      if (ended) return ended;
      if (this.#openWait(options, prepared) !== null) return this.#tryWithDeadlocks(options, prepared, CROWD_SHARE);
      return onlyProved(this.#search(options, prepared, CROWD_SHARE, 'any number of threads, '));
    } catch (error) {
      if (!(error instanceof NotProvableError)) throw error;
      return null;
    }
  }

  /** Where threads of any number are joined: that they all have ended then becomes an obligation. */
  #tryEnding(options: ModelOptions, { model }: PreparedModel, share = ENDING_SHARE, name = ''): ProveOutcome | null {
    if (model.peers.length === 0) return null;
    const ending = { ...options, ending: true };
    const prepared = prepareModel(this.#code, ending);
    const isAsserted = prepared.model.bodies[0]?.nodes.some(({ kind }) => kind === 'alone');
    if (!isAsserted || this.#openWait(ending, prepared) !== null) return null;
    return onlyProved(this.#search(ending, prepared, share, `${name}all joined, `));
  }

  /** Where loops count: as if they could end at any time, a few attempts for a short time. */
  #tryForgetting(options: ModelOptions, counting: PreparedModel, name = ''): ProveOutcome | null {
    if (!hasCounters(counting.model)) return null;
    const waits = this.#openWait(options, counting) !== null;
    if (waits && findOpenCircle(counting) !== null) return null;
    const model = { ...options, forget: true, waits };
    const prepared = prepareModel(this.#code, model);
    return onlyProved(this.#search(model, prepared, FORGET_SHARE, `${name}without counters, `, FIRST_FEW));
  }

  /** Where threads of any number that main joins add to variables in loops: each counts how often. */
  #tryTurns(options: ModelOptions, { model }: PreparedModel, name = ''): ProveOutcome | null {
    if (model.peers.length === 0 || !hasTurns(model)) return null;
    const counting = { ...options, passages: true, turns: true, ending: true };
    const prepared = prepareModel(this.#code, counting);
    if (prepared.model.turns.length === 0 || this.#openWait(counting, prepared) !== null) return null;
    return onlyProved(this.#search(counting, prepared, TURNS_SHARE, `${name}counting turns, `));
  }

  /** Where threads of any number add to variables in loops: as if each turn had a place of its own. */
  #tryUnrolled(options: ModelOptions, { model }: PreparedModel, name = ''): ProveOutcome | null {
    if (!hasLoopedPassages(model) || options.unroll) return null;
    const unrolled = { ...options, unroll: true, ending: model.peers.length > 0 };
    const prepared = prepareModel(this.#code, unrolled);
    if (hasLoopedPassages(prepared.model) || this.#openWait(unrolled, prepared) !== null) return null;
    return onlyProved(this.#search(unrolled, prepared, UNROLLED_SHARE, `${name}loops copied, `));
  }

  /**
   * Where threads of any number add to variables: with ghosts that count how often, after a short search without them.
   */
  #tryPassages(options: ModelOptions, without: PreparedModel): ProveOutcome | null {
    if (!hasPassages(without.model) || this.#openWait(options, without) !== null) return null;
    const isBrief = this.#isBrief;
    this.#isBrief = true;
    const first = this.#search(options, without, PASSAGES_SHARE, '');
    this.#isBrief = isBrief;
    if (first.kind === 'proved') return first;
    const counting = { ...options, passages: true, ending: without.model.peers.length > 0 };
    const prepared = prepareModel(this.#code, counting);
    if (this.#openWait(counting, prepared) !== null) return null;
    return onlyProved(this.#search(counting, prepared, PASSAGES_SHARE, 'counting passages, '));
  }

  /** Where fixed threads add to variables in loops: with ghosts that count how often, after a short search without. */
  #tryAdditions(options: ModelOptions, without: PreparedModel): ProveOutcome | null {
    if (!hasLoopedAdditions(without.model)) return null;
    const waits = this.#openWait(options, without) !== null;
    if (waits && findOpenCircle(without) !== null) return null;
    const searched = waits ? { ...options, waits } : options;
    const first = this.#search(
      searched,
      waits ? prepareModel(this.#code, searched) : without,
      ADDITIONS_SHARE,
      '',
      FIRST_FEW,
    );
    if (first.kind === 'proved') return first;
    const counting = { ...searched, additions: true };
    const prepared = prepareModel(this.#code, counting);
    return onlyProved(this.#search(counting, prepared, ADDITIONS_SHARE, 'counting additions, '));
  }

  /** What the static argument leaves open is an error of the system, but for circles. */
  #tryWithDeadlocks(options: ModelOptions, prepared: PreparedModel, share = DEADLOCK_SHARE): ProveOutcome | null {
    if (this.#openWait(options, prepared) === null || findOpenCircle(prepared) !== null) return null;
    const model = { ...options, waits: true };
    return onlyProved(this.#search(model, prepareModel(this.#code, model), share, ''));
  }

  /** With a share of the time that is left. */
  #search(
    model: ModelOptions,
    prepared: PreparedModel,
    share: number,
    name: string,
    most = Number.POSITIVE_INFINITY,
  ): Extract<ProveOutcome, { kind: 'proved' }> | NotFound {
    const now = this.#environment.clock();
    const end = now + share * (this.#end - now);
    const search = new ProofSearch(this.#code, prepared, model, this.#techniques, this.#environment, end);
    const found = search.run(this.#isBrief || most < Number.POSITIVE_INFINITY, most);
    for (const each of found.attempts)
      this.#attempts.push({ ...each, attempt: `${this.#modelName}${name}${each.attempt}` });
    if (found.kind !== 'found') return found;
    return this.#proved(found);
  }

  #proved({ attempt, evidence, invariant, excluded, confirm }: Found): Extract<ProveOutcome, { kind: 'proved' }> {
    const confirmation = confirm(this.#options.confirmMs ?? SHORTEST_CONFIRM_MS);
    return { kind: 'proved', attempt, evidence, invariant, excluded, confirmation, attempts: this.#attempts };
  }
}

function describeHeap({ instances, ownHeap }: Pick<ModelOptions, 'instances' | 'ownHeap'>): string {
  const many = instances === 1 ? 'one object' : `${instances} objects`;
  return `${many} an allocation${ownHeap ? ' and thread' : ''}, `;
}

function onlyProved(found: ProveOutcome | NotFound): ProveOutcome | null {
  return found.kind === 'proved' ? found : null;
}

/** Whether anything depends on what is read of arrays whose places are not told apart. */
function readsBlurred({ bodies, blurred }: Model): boolean {
  return bodies.some(({ nodes }) =>
    nodes.some((node) => node.kind === 'havoc' && node.variables.some((variable) => blurred.has(variable))),
  );
}

function hasCrowd({ bodies }: Model): boolean {
  const [, ...created] = bodies;
  const alike = (name: string) => created.filter((body) => !body.isReplicated && body.name === name).length;
  return created.some(({ name }) => alike(name) >= LEAST_CROWD);
}

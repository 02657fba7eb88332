/**
 * What an engine comes to: the one union of results, from the solver to the report. All of it is plain data that can be
 * copied between threads. A `safe` outcome has a proof, a `bounded` one says what it holds for, an `unknown` one why.
 */

import type { Loc } from '../support/source.ts';
import type { Trace, TraceLockLink, TracePlace, TraceRace } from '../trace/trace.ts';
import type { ProofInvariant } from './invariant.ts';

/** `explore`, `bounded`, … or the name of a backend. */
export type EngineName = string;

/** How far an engine looked; null for what has no bound. */
export interface CoveredBounds {
  /** Iterations of loops and depth of recursion. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Instead of rounds. */
  readonly contextSwitches?: number;
}

export const NO_BOUNDS: CoveredBounds = { unwind: null, rounds: null };

/** A place at which some execution was not followed further. */
export interface CutPlace {
  /** `bound`: of a loop or recursion; `unsupported`: what the engine cannot follow. */
  readonly kind: 'bound' | 'unsupported';
  /** The loop or function, or what is not supported. */
  readonly where: string;
  readonly loc: Loc;
  /** As people read it; null inside of models. */
  readonly place: TracePlace | null;
}

/** How far the assertions of the program's own text are part of what was covered. */
export interface AssertionCoverage {
  readonly total: number;
  /** Those that some execution within the bounds comes to. */
  readonly reached: number;
  /** Where the others stand; null inside of models. */
  readonly missed: readonly (TracePlace | null)[];
  /** Where the reached ones stand. */
  readonly reachedAt: readonly (TracePlace | null)[];
}

/** What was covered without a violation. */
export interface Coverage {
  readonly bounds: CoveredBounds;
  /** What some execution within the bounds ran into; null when that is not known. */
  readonly cuts: readonly CutPlace[] | null;
  /** Null where nobody knows. */
  readonly assertions: AssertionCoverage | null;
}

/** Why a program is called safe. */
export interface Proof {
  /** `exhaustion`: the bounds cut no execution off and suffice for every interleaving. */
  readonly method: 'exhaustion' | 'induction';
  /** What was proved, in words. */
  readonly claim: string;
  /** For those who want to check it: holds at the start, is kept by every step, excludes every violation. */
  readonly invariant: ProofInvariant | null;
}

/** What one engine tried in vain. */
export interface Attempt {
  readonly engine: EngineName;
  readonly bounds: CoveredBounds;
  readonly reason: string;
}

/**
 * `program`: it has errors or needs what is not supported, and diagnostics say so; `unsupported`: it reaches, at `loc`,
 * what cannot be followed; `unconfirmed`: a counterexample could not be replayed; `limit`: of sizes; `solver`: it gave
 * up; `backend`: it gave no verdict; `unreached`: no execution within the bounds comes to an assertion; `sample`: only
 * some interleavings were looked at; `nothing`: nobody was asked; `interrupted`: by a person or the system.
 */
export type UnknownCause =
  | 'program'
  | 'unsupported'
  | 'unconfirmed'
  | 'time'
  | 'memory'
  | 'limit'
  | 'solver'
  | 'backend'
  | 'unreached'
  | 'sample'
  | 'nothing'
  | 'interrupted';

interface OutcomeBase {
  readonly engine: EngineName;
  readonly bounds: CoveredBounds;
  /** What concrete runs came across beside the verdict. */
  readonly warnings?: readonly Warning[];
}

export type Warning =
  | { readonly kind: 'race'; readonly race: TraceRace }
  /** Locks that are taken in a circle: each link takes what the next one holds. */
  | { readonly kind: 'lock-order'; readonly links: readonly TraceLockLink[] };

/** What else is known of a violation under a weak memory model. */
export interface WeakFinding {
  readonly memoryModel: 'tso' | 'pso';
  /** Within which it was found out. */
  readonly bounds: CoveredBounds;
  readonly breaksUnderSc: boolean;
  /**
   * Stores behind which fences repair the program within these bounds, as few as possible, and the lines of a unified
   * diff that puts them there; null if nobody asked.
   */
  readonly fences: { readonly places: readonly TracePlace[]; readonly patch: readonly string[] } | null;
}

/** The trace is null for backends that give none. */
export interface Unsafe extends OutcomeBase {
  readonly kind: 'unsafe';
  readonly trace: Trace | null;
  readonly weak?: WeakFinding;
}

/** Proved: no bound mattered. */
export interface Safe extends OutcomeBase {
  readonly kind: 'safe';
  readonly proof: Proof;
  readonly ending?: Ending;
}

/**
 * No violation within the bounds. `reason`: why there are no larger ones, if somebody wanted them; `noProof`: why there
 * is no proof, where that is known to be more than a matter of time.
 */
export interface Bounded extends OutcomeBase, Coverage {
  readonly kind: 'bounded';
  readonly reason: string | null;
  readonly noProof?: string;
  readonly ending?: Ending;
}

export interface Unknown extends OutcomeBase {
  readonly kind: 'unknown';
  readonly cause: UnknownCause;
  readonly reason: string;
  readonly loc: Loc | null;
  readonly attempts: readonly Attempt[];
}

/**
 * Of a program without a violation, where that deserves to be known. `never`: no execution ends; `not-within-bounds`:
 * none of those that were looked at.
 */
export type Ending = 'never' | 'not-within-bounds';

export type Outcome = Unsafe | Safe | Bounded | Unknown;

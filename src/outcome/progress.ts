/** How far a verification has come, as events: plain data for whoever watches, in this thread or in another. */

import type { Coverage } from './outcome.ts';

/** Bounds that an engine is given. */
export interface Stage {
  readonly unwind: number;
  readonly rounds: number;
}

export interface FormulaSize {
  readonly threads: number;
  readonly steps: number;
  readonly cells: number;
  /** By how they are encoded (engines/bounded/encode-memory.ts). */
  readonly cellsBy: Readonly<Record<'chain' | 'selection', number>>;
  readonly terms: number;
  readonly variables: number;
  readonly clauses: number;
}

/** `analyse`: executing until the values are stable. `execute`: the last time, which gives the steps. */
export type Work = 'explore' | 'analyse' | 'execute' | 'solve' | 'replay' | 'prove';

/** How far a proof has come. */
export interface ProofProgress {
  /** What is tried: what clauses may speak of. */
  readonly attempt: string;
  readonly frame: number;
  readonly clauses: number;
  /** To the solver, so far. */
  readonly questions: number;
}

export type ProgressEvent =
  /** Something begins that may take a while. */
  | { readonly kind: 'work'; readonly what: Work }
  /** The bounds with which the next stage begins. */
  | { readonly kind: 'stage'; readonly stage: Stage }
  /** The formula is built and goes to the solver. */
  | { readonly kind: 'formula'; readonly stage: Stage; readonly size: FormulaSize }
  /** The solver is at work: its conflicts so far. */
  | { readonly kind: 'conflicts'; readonly conflicts: number }
  | { readonly kind: 'proof'; readonly progress: ProofProgress }
  /** No violation was found so far. */
  | { readonly kind: 'covered'; readonly coverage: Coverage }
  | { readonly kind: 'time'; readonly what: Work; readonly ms: number };

/**
 * What a check has to tell: the verdict, what it holds for, and the counterexample if there is one. All engines and
 * backends end in this form, and all reports (text.ts, json.ts, …) start from it.
 */

import type { Trace } from '../trace/trace.ts';

export type Verdict =
  /** The trace is null for backends that give none. */
  | { readonly kind: 'unsafe'; readonly trace: Trace | null }
  /** Proved, without any bound. */
  | { readonly kind: 'safe' }
  | { readonly kind: 'safe-up-to-bounds' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The bounds of the check; null for what has none. */
export interface ReportBounds {
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Instead of rounds. */
  readonly contextSwitches?: number;
}

export interface CheckReport {
  /** The program, as the user named it. */
  readonly program: string;
  readonly verdict: Verdict;
  readonly bounds: ReportBounds;
  /** What the verdict leaves open, in sentences. */
  readonly notes: readonly string[];
  /** What found it: `cbmc`, `bounded`, … */
  readonly engine: string;
  readonly elapsedMs: number;
}

/** What became of an instance: plain data that goes to files and travels between machines. */

import type { AssertionCoverage, CutPlace, UnknownCause, Unsafe } from '../../outcome/outcome.ts';
import type { CountedRun } from '../../trace/counted-run.ts';
import type { Schedule } from '../../trace/replay.ts';

export type InstanceResult =
  /** It was replayed; the counterexample is one of the whole program. */
  | {
      readonly kind: 'violation';
      readonly outcome: Unsafe;
      /** With which somebody else can replay it; missing where nobody can. */
      readonly run?: PortableRun;
    }
  | {
      readonly kind: 'none';
      /** The bounds that executions of it came to, unless some were known before; null: not known. */
      readonly cuts: readonly CutPlace[] | null;
      /** Of all instances that the same worker had so far. */
      readonly assertions: AssertionCoverage | null;
      /** The prover said so, after the bug finder had used up its share of the time. */
      readonly isDischarged?: true;
    }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly reason: string }
  /** It ran out of its time; so many parts of it are run instead. */
  | { readonly kind: 'split'; readonly parts: number };

/** A counterexample as it travels: by the names of its steps, or by their numbers. */
export type PortableRun =
  | { readonly kind: 'schedule'; readonly schedule: Schedule }
  | { readonly kind: 'counted'; readonly run: CountedRun };

export interface TimedResult {
  readonly result: InstanceResult;
  readonly elapsedMs: number;
  /** The most that its solver held. */
  readonly memoryBytes: number;
}

/** Of what somebody else found. */
export const NOT_REPLAYED: InstanceResult = {
  kind: 'unknown',
  cause: 'unconfirmed',
  reason: 'a counterexample of a worker does not replay',
};

/**
 * The invariant of a proof, as people read it and as plain data: at which places of which threads what holds. It holds
 * whenever a thread is about to take a step; together the facts hold at the start, are kept by every step and exclude
 * every violation.
 */

import type { TracePlace } from '../trace/trace.ts';

export interface InvariantThread {
  /** `main`, `T1`, …; `T` for all threads of a kind of which there may be any number. */
  readonly name: string;
  /** The function that it runs. */
  readonly start: string;
  readonly isReplicated: boolean;
}

export interface ThreadPlace {
  /** `T`, `U`, … stand for any different threads. */
  readonly thread: string;
  /** In words, after the name: `is at line 14`. */
  readonly text: string;
  readonly places: readonly TracePlace[];
}

export interface InvariantFact {
  /** All of it at once; nothing: at all times. */
  readonly when: readonly ThreadPlace[];
  /** In C over the program's variables; null: it never is so. */
  readonly holds: string | null;
}

export interface ProofInvariant {
  readonly threads: readonly InvariantThread[];
  readonly facts: readonly InvariantFact[];
}

/** A fact as a line of text. */
export function printFact({ when, holds }: InvariantFact): string {
  if (when.length === 0) return `always: ${holds ?? 'never'}`;
  const where = when.map(({ thread, text }) => `${thread} ${text}`).join(' and ');
  return holds === null ? `never: ${where}` : `whenever ${where}: ${holds}`;
}

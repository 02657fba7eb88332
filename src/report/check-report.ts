/**
 * What a check has to tell: the outcome, and what it leaves open. All engines and
 * backends end in this form, and all reports (text.ts, json.ts, …) start from it.
 */

import type { Outcome } from '../outcome/outcome.ts';
import type { Approximation } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import type { ConfirmedInvariant } from './correctness-witness.ts';
import type { HoverRanges } from './html-ranges.ts';

export interface CheckReport {
  /** The program, as the user named it. */
  readonly program: string;
  /** The files that it was read from, without headers; of a project, those that it was chosen from. */
  readonly files?: readonly string[];
  /** The property that was asked for, by its name; absent where no property file says one. */
  readonly property?: string;
  /** What the authors of the task say: whether the property holds. */
  readonly expected?: boolean;
  readonly outcome: Outcome;
  /** Of the program; absent where nobody says. */
  readonly dataModel?: DataModel;
  /** What the verdict leaves open, in sentences. */
  readonly notes: readonly string[];
  /** What the program uses and nobody defines. */
  readonly approximations: readonly Approximation[];
  readonly elapsedMs: number;
  /** For the page: what values variables can have; absent or null where nobody knows. */
  readonly ranges?: HoverRanges | null;
  /** Of a proof, for its witness: what holds at lines of the program; absent where nobody has asked. */
  readonly confirmed?: readonly ConfirmedInvariant[];
}

/** The program and what is asked of it, in one line. */
export function nameQuestion({ program, property }: Pick<CheckReport, 'program' | 'property'>): string {
  return property === undefined ? program : `${program} (${property})`;
}

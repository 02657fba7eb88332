/** What the user asks of a check, whichever engine answers: plain data. */

import type { LoopForm } from '../program/find-loops.ts';

/** Whether values are encoded in the bits that they need, or in their declared widths. */
export type ValueAnalysisChoice = 'builtin' | 'none';

export interface CheckOptions {
  /** `proof`: ask for a proof and nothing else. */
  readonly goal: 'verdict' | 'proof';
  /** What the user fixed; null where the check may choose. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Context switches instead of rounds. */
  readonly contextSwitches: number | null;
  /** Bounds of their own that kinds of loops have, and loops and recursive functions by name. */
  readonly unwindByForm: Readonly<Partial<Record<LoopForm, number>>>;
  readonly unwindByName: ReadonlyMap<string, number>;
  /** Loops with a constant number of iterations are unwound fully. */
  readonly unwindConstantLoops: boolean;
  /** After the last round main goes on once more. */
  readonly closingMain: boolean;
  /** Concrete runs before and beside the solver. */
  readonly explore: boolean;
  readonly valueAnalysis: ValueAnalysisChoice;
  readonly seed: number;
}

export const DEFAULT_CHECK_OPTIONS: CheckOptions = {
  goal: 'verdict',
  unwind: null,
  rounds: null,
  contextSwitches: null,
  unwindByForm: {},
  unwindByName: new Map(),
  unwindConstantLoops: true,
  closingMain: true,
  explore: true,
  valueAnalysis: 'builtin',
  seed: 1,
};

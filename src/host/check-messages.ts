/** What the command line and the worker that checks tell each other. Everything here can be copied between threads. */

import type { FormulaSize } from '../engines/bounded/open-program.ts';
import type { CheckOptions } from '../engines/engine.ts';
import type { Stage } from '../engines/stages.ts';
import type { Coverage, Outcome } from '../outcome/outcome.ts';
import type { CheckName } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';

/** The stages that a check can show: `trace` is the whole counterexample. */
export const CHECK_DUMPS = ['code', 'steps', 'intervals', 'cnf', 'trace'] as const;
export type CheckDump = (typeof CHECK_DUMPS)[number];

export type SolverChoice = 'wasm' | 'cadical' | 'kissat';

/** A check to be done. */
export interface CheckJob extends CheckOptions {
  readonly fileName: string;
  readonly text: string;
  readonly dataModel: DataModel;
  readonly includePaths: readonly string[];
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
  readonly atomicStatements: boolean;
  /** null: what is usual for the program. */
  readonly checks: readonly CheckName[] | null;
  readonly timeLimitMs: number;
  readonly solver: SolverChoice;
  readonly jobs: number;
  readonly memoryLimitBytes: number | null;
  readonly dumps: readonly CheckDump[];
  /** List the loops and do nothing else. */
  readonly showLoops: boolean;
  /** Validate the intermediate forms. */
  readonly validate: boolean;
  /** Diagnostics are printed with colours. */
  readonly colours: boolean;
}

/** A job as the worker gets it: its time began when the command started it. */
export interface StartedCheckJob extends CheckJob {
  readonly startEpochMs: number;
}

export type CheckMessage =
  | { readonly kind: 'diagnostics'; readonly text: string }
  /** A part of a dump; parts of one name follow one another. */
  | { readonly kind: 'dump'; readonly name: string; readonly text: string }
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'formula'; readonly stage: Stage; readonly size: FormulaSize }
  | { readonly kind: 'conflicts'; readonly conflicts: number }
  /** A native solver has started or ended: whoever ends the worker must end it too. */
  | { readonly kind: 'process'; readonly pid: number; readonly isRunning: boolean }
  | { readonly kind: 'covered'; readonly coverage: Coverage }
  | { readonly kind: 'time'; readonly what: string; readonly ms: number }
  | { readonly kind: 'result'; readonly result: CheckResult };

export type CheckResult =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** The options do not fit the program. */
  | { readonly kind: 'misused'; readonly message: string }
  /** What `showLoops` asked for, one line a loop. */
  | { readonly kind: 'loops'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: string; readonly stack: string };

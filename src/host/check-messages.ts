/** What the command line and the worker that checks tell each other. Everything here can be copied between threads. */

import type { Searcher } from '../engines/prove/searcher.ts';
import type { ProgressEvent } from '../outcome/progress.ts';
import type { Approximation } from '../program/code.ts';
import type { CheckReport } from '../report/check-report.ts';
import type { JsonDiagnostic } from '../support/print-diagnostics.ts';
import type { PortableProgram } from '../verify/portable-code.ts';
import type { Source, VerifySettings } from '../verify/settings.ts';

/** The stages that a check can show: `trace` is the whole counterexample. */
export const CHECK_DUMPS = ['code', 'steps', 'intervals', 'cnf', 'trace', 'invariant'] as const;
export type CheckDump = (typeof CHECK_DUMPS)[number];

export type SolverChoice = 'wasm' | 'cadical' | 'kissat';

/** A check to be done. */
export interface CheckJob extends VerifySettings, Source {
  readonly solver: SolverChoice;
  /** Solvers side by side; where a proof alone is asked for, threads that look for one. */
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
  /** The program, where it was read while the worker started; else the worker reads it. */
  readonly read: PortableProgram | null;
  /** One number that threads share: of the solvers that are being started. Nobody ends a worker while there are any. */
  readonly starting: Int32Array<SharedArrayBuffer>;
  /** Which of these threads this one is; null where it is to say. */
  readonly searcher: Searcher | null;
  /** Shared as well: 1 once a proof was sent, for a thread that is too busy to read its messages. */
  readonly proved: Int32Array<SharedArrayBuffer>;
}

export type CheckMessage =
  | ProgressEvent
  /** The same for people, with excerpts of the source, and for tools. */
  | { readonly kind: 'diagnostics'; readonly text: string; readonly diagnostics: readonly JsonDiagnostic[] }
  /** What the program uses and nobody defines: known before anything is checked. */
  | { readonly kind: 'approximations'; readonly approximations: readonly Approximation[] }
  /** A part of a dump; parts of one name follow one another. */
  | { readonly kind: 'dump'; readonly name: string; readonly text: string }
  /** A native solver has started or ended: whoever ends the worker must end it too. */
  | { readonly kind: 'process'; readonly pid: number; readonly isRunning: boolean }
  | { readonly kind: 'result'; readonly result: CheckResult };

export type CheckResult =
  | { readonly kind: 'report'; readonly report: CheckReport }
  /** The options do not fit the program. */
  | { readonly kind: 'misused'; readonly message: string }
  /** What `showLoops` asked for, one line a loop. */
  | { readonly kind: 'loops'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: string; readonly stack: string };

/** All of them, as the compiler sees to it; what else the worker tells is not for users. */
const PROGRESS: Readonly<Record<ProgressEvent['kind'], true>> = {
  work: true,
  stage: true,
  formula: true,
  conflicts: true,
  proof: true,
  covered: true,
  time: true,
};

export function isProgress(message: CheckMessage): message is ProgressEvent {
  return message.kind in PROGRESS;
}

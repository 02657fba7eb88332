/** What the page and the worker that checks tell each other. Everything here can be copied between threads. */

import type { ProgressEvent } from '../../src/outcome/progress.ts';
import type { Approximation } from '../../src/program/code.ts';
import type { CheckReport } from '../../src/report/check-report.ts';
import type { HoverRanges } from '../../src/report/html-ranges.ts';
import type { JsonDiagnostic } from '../../src/support/print-diagnostics.ts';
import type { VerifySettings } from '../../src/verify/settings.ts';

/**
 * `read`: only say what is wrong with the text. `ranges`: the values of variables. `prove`: asked for by another
 * worker, beside its own work.
 */
export interface Job {
  readonly kind: 'check' | 'read' | 'ranges' | 'prove';
  readonly text: string;
  readonly settings: VerifySettings;
}

export type JobMessage =
  | ProgressEvent
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly JsonDiagnostic[] }
  | { readonly kind: 'approximations'; readonly approximations: readonly Approximation[] }
  | { readonly kind: 'report'; readonly report: CheckReport }
  /** Null where nobody knows. */
  | { readonly kind: 'ranges'; readonly ranges: HoverRanges | null }
  /** The text was read. */
  | { readonly kind: 'read' }
  /** The options do not fit the program. */
  | { readonly kind: 'misused'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: string };

/** The program has one file, with this name in reports. */
export const FILE_NAME = 'program.c';

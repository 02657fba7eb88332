/**
 * The library: `import { verify } from 'lazuli'`. The same verification as that of the command line, in a worker thread
 * of its own, which keeps the caller's event loop free and can be ended at any time. This is the entry of the package:
 * what it exports is documented in docs/api.md.
 */

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { SourceText } from '../frontend/front-end.ts';
import type { ProgressEvent } from '../outcome/progress.ts';
import type { CheckReport } from '../report/check-report.ts';
import { invariant } from '../support/invariant.ts';
import type { JsonDiagnostic } from '../support/print-diagnostics.ts';
import { DEFAULT_SETTINGS, type Source, UsageError, type VerifySettings } from '../verify/settings.ts';
import { type CheckJob, type CheckMessage, isProgress, type SolverChoice } from './check-messages.ts';
import { runCheck } from './run-check.ts';
import { decode, findProblem } from './source-files.ts';

export type {
  Attempt,
  Bounded,
  Coverage,
  CoveredBounds,
  CutPlace,
  Outcome,
  Proof,
  Safe,
  Unknown,
  UnknownCause,
  Unsafe,
} from '../outcome/outcome.ts';
export type {
  Trace,
  TraceEvent,
  TracePlace,
  TraceStep,
  TraceThread,
  TraceValue,
  TraceViolation,
} from '../trace/trace.ts';
export type { JsonDiagnostic, ProgressEvent };
export { UsageError };

/** A C text, or the files that hold it. */
export type VerifyInput = { readonly text: string; readonly fileName?: string } | { readonly files: readonly string[] };

/** All of it has the defaults of the command line. */
export interface VerifyOptions extends Partial<VerifySettings> {
  /** Solvers side by side. */
  readonly jobs?: number;
  readonly memoryLimitBytes?: number;
  /** The embedded solver, or a native one from the PATH. */
  readonly solver?: SolverChoice;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Ends the verification, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface VerifyReport extends CheckReport {
  /** What is wrong with the program, or worth a warning. */
  readonly diagnostics: readonly JsonDiagnostic[];
}

/** Rejects with a UsageError when the options do not fit the program, and with the reason of an aborted signal. */
export async function verify(input: VerifyInput, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const diagnostics: JsonDiagnostic[] = [];
  const listener = (message: CheckMessage) => {
    if (message.kind === 'diagnostics') for (const diagnostic of message.diagnostics) diagnostics.push(diagnostic);
    else if (isProgress(message)) onProgress?.(message);
  };
  const { result } = await runCheck(toJob(readSource(input), options), { listener, signal, isGuest: true });
  switch (result.kind) {
    case 'report':
      return { ...result.report, diagnostics };
    case 'misused':
      throw new UsageError(result.message);
    case 'aborted':
      throw signal?.reason;
    case 'failed':
      throw new Error(`internal error: ${result.error}`);
    case 'loops':
      invariant(false, 'nobody asked for the loops');
  }
}

function readSource(input: VerifyInput): Source {
  if ('text' in input) {
    const { fileName = 'program.c', text } = input;
    return { name: fileName, files: [{ fileName, text }] };
  }
  if (input.files.length === 0) throw new UsageError('a program has at least one file');
  return { name: input.files.join(' '), files: input.files.map(readSourceFile) };
}

function readSourceFile(fileName: string): SourceText {
  const problem = findProblem(fileName);
  if (problem !== null) throw new UsageError(`cannot use '${fileName}': ${problem}`);
  return { fileName, text: decode(readFileSync(fileName)) };
}

function toJob(source: Source, options: VerifyOptions): CheckJob {
  const { onProgress: _, signal: __, memoryLimitBytes = null, ...settings } = options;
  return {
    ...DEFAULT_SETTINGS,
    solver: 'wasm',
    jobs: Math.min(4, availableParallelism()),
    memoryLimitBytes,
    ...settings,
    ...source,
    dumps: [],
    showLoops: false,
    validate: false,
    colours: false,
  };
}

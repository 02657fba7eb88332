/**
 * The library: `import { verify } from 'lazuli'`. The same verification as that of the command line, in a worker thread
 * of its own, which keeps the caller's event loop free and can be ended at any time. This is the entry of the package:
 * what it exports is documented in docs/api.md.
 */

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { SourceText } from '../frontend/front-end.ts';
import type { ProgressEvent } from '../outcome/progress.ts';
import { isAskedFor } from '../program/check-names.ts';
import { memoryModels } from '../program/memory-model.ts';
import type { CheckReport } from '../report/check-report.ts';
import { invariant } from '../support/invariant.ts';
import type { JsonDiagnostic } from '../support/print-diagnostics.ts';
import { DEFAULT_SETTINGS, type Source, UsageError, type VerifySettings } from '../verify/settings.ts';
import { type CheckJob, type CheckMessage, isProgress, type SolverChoice } from './check-messages.ts';
import { runCheck } from './run-check.ts';
import { decode, findProblem } from './source-files.ts';
import { describeSystemError } from './system-error.ts';

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

/**
 * Rejects with a UsageError when the options do not fit the program, with the reason of an aborted signal, and with
 * what `onProgress` throws.
 */
export async function verify(input: VerifyInput, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const diagnostics: JsonDiagnostic[] = [];
  const end = new AbortController();
  const listener = (message: CheckMessage) => {
    if (message.kind === 'diagnostics') for (const diagnostic of message.diagnostics) diagnostics.push(diagnostic);
    else if (isProgress(message) && !end.signal.aborted) {
      try {
        onProgress?.(message);
      } catch (error) {
        end.abort(error);
      }
    }
  };
  const abort = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const run = runCheck(toJob(readSource(input), options), { listener, signal: end.signal, isGuest: true });
  const { result } = await run.finally(() => signal?.removeEventListener('abort', abort));
  switch (result.kind) {
    case 'report':
      return { ...result.report, diagnostics };
    case 'misused':
      throw new UsageError(result.message);
    case 'aborted':
      throw end.signal.reason;
    case 'failed':
      throw new Error(`internal error: ${result.error}`);
    case 'loops':
      invariant(false, 'nobody asked for the loops');
  }
}

function readSource(input: VerifyInput): Source {
  if (!input || !('text' in input || 'files' in input)) throw new UsageError('there is neither a text nor files');
  if ('text' in input) {
    const { fileName = 'program.c', text } = input;
    return { name: fileName, files: [{ fileName, text }] };
  }
  if (input.files.length === 0) throw new UsageError('a program has at least one file');
  return { name: input.files.join(' '), files: input.files.map(readSourceFile) };
}

function readSourceFile(fileName: string): SourceText {
  const refuse = (problem: string) => new UsageError(`cannot use '${fileName}': ${problem}`);
  try {
    const problem = findProblem(fileName);
    if (problem !== null) throw refuse(problem);
    return { fileName, text: decode(readFileSync(fileName)) };
  } catch (error) {
    throw error instanceof UsageError ? error : refuse(describeSystemError(error));
  }
}

function toJob(source: Source, options: VerifyOptions): CheckJob {
  const { onProgress: _, signal: __, ...settings } = options;
  const defaults = {
    ...DEFAULT_SETTINGS,
    solver: 'wasm' as const,
    jobs: Math.min(4, availableParallelism()),
    memoryLimitBytes: null,
  };
  refuseUnknown(settings, Object.keys(defaults));
  return {
    ...defaults,
    ...settings,
    ...source,
    dumps: [],
    showLoops: false,
    validate: false,
    colours: false,
  };
}

const CHOICES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['dataModel', ['LP64', 'ILP32']],
  ['memoryModel', memoryModels],
  ['valueAnalysis', ['builtin', 'none']],
  ['goal', ['verdict', 'proof']],
  ['solver', ['wasm', 'cadical', 'kissat']],
]);

/** Without the compiler's help: what is misspelled would not be looked for, and so never be found. */
function refuseUnknown(settings: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!known.includes(name) && name !== 'witness') throw new UsageError(`there is no option '${name}'`);
    const choices = CHOICES.get(name);
    if (choices && value !== undefined && !choices.includes(String(value)))
      throw new UsageError(`the option '${name}' is one of ${choices.join(', ')}`);
  }
  for (const name of (settings.checks as readonly string[] | null | undefined) ?? [])
    if (!isAskedFor(name)) throw new UsageError(`there is no check '${name}'`);
}

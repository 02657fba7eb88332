// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its
// answer (backends/backend-engine.ts judges it). The command decides what to do with the report.

import type { BackendAnswer } from '../backends/backend.ts';
import { type BackendProblem, createBackendEngine } from '../backends/backend-engine.ts';
import { runBackend } from '../host/run-backend.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import type { CoveredBounds } from '../outcome/outcome.ts';
import type { CheckName } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import { describeApproximations } from '../report/approximations.ts';
import type { CheckReport } from '../report/check-report.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { invariant } from '../support/invariant.ts';
import { usualChecks } from '../verify/usual-checks.ts';
import type { backendOptions } from './backend-options.ts';
import type { Io } from './io.ts';
import type { OptionValues } from './options.ts';
import { nameProgram } from './program-input.ts';
import { createProgress, type ProgressWish } from './progress.ts';
import {
  type SequentializedFile,
  type SequentializeRequest,
  type SequentializeResult,
  sequentializeFile,
} from './sequentialize-file.ts';
import { splitCommand } from './split-command.ts';

export interface BackendCheck {
  readonly request: SequentializeRequest;
  readonly options: Omit<OptionValues<typeof backendOptions>, 'backend'>;
  readonly timeoutSeconds?: number | undefined;
  readonly memoryLimitMegabytes?: number | undefined;
  readonly progress?: ProgressWish;
  /** Ends the backend. */
  readonly signal?: AbortSignal | undefined;
}

export type BackendCheckResult =
  | {
      readonly kind: 'checked';
      readonly report: CheckReport;
      /** The values of a counterexample, for the program that runs natively. */
      readonly nativeInput: string | null;
    }
  | Exclude<SequentializeResult, SequentializedFile>;

/**
 * Checks a program with `request.backend`, which must have a verifier. What is wrong with the program has been told.
 */
export async function checkWithBackend(check: BackendCheck, io: Io): Promise<BackendCheckResult> {
  const { request } = check;
  const startMs = performance.now();
  const deadline = startMs + 1000 * (check.timeoutSeconds ?? Number.POSITIVE_INFINITY);
  const result = await sequentializeFile(request, io);
  if (result.kind !== 'sequentialized') return result;
  const progress = createProgress(io, check.progress);
  const onProgress = (text: string) => progress.show(`${request.backend.title}: ${text}`);
  const engine = createBackendEngine(request.backend, (text, limitMs) => askBackend(check, text, limitMs, onProgress));
  let nativeInput: string | null = null;
  const code = lowerSource(result, request);
  const problem: BackendProblem = {
    ...result,
    code,
    checks: new Set(checksOf(result.read, request)),
    bounds: boundsOf(request),
    onNativeInput: (text) => {
      nativeInput = text;
    },
  };
  const environment = { clock: () => performance.now() };
  const outcome = await engine.run(problem, { deadline, environment }).finally(() => progress.clear());
  invariant(outcome.kind !== 'candidate', 'a backend confirms its counterexamples itself');
  const limits = outcome.kind === 'bounded' ? describeLimits([...result.limits, ...(code?.limits ?? [])], request) : [];
  const approximations = code?.approximations ?? [];
  const report = {
    program: nameProgram(request.files, request.frontEnd),
    files: request.files,
    outcome,
    notes: [...limits, ...describeApproximations(approximations)],
    approximations,
    elapsedMs: performance.now() - startMs,
  };
  return { kind: 'checked', nativeInput, report };
}

export function boundsOf({ bounds, rounds }: SequentializeRequest): CoveredBounds {
  return { unwind: bounds.unwind, rounds };
}

async function askBackend(
  { request, options, timeoutSeconds, memoryLimitMegabytes, signal }: BackendCheck,
  text: string,
  limitMs: number,
  onProgress: (text: string) => void,
): Promise<BackendAnswer> {
  const { backend } = request;
  if (backend.verifier === null) return { kind: 'unknown', reason: `${backend.title} is no verifier` };
  const { answer } = await runBackend({
    backend,
    verifier: backend.verifier,
    text,
    dataModel: request.frontEnd.dataModel === '32' ? 'ILP32' : 'LP64',
    executable: options.backendPath,
    options: options.backendOptions.flatMap((part) => splitCommand(part)),
    timeoutMs: timeoutSeconds === undefined ? undefined : Math.max(1, limitMs),
    memoryLimitBytes: memoryLimitMegabytes === undefined ? undefined : memoryLimitMegabytes * 2 ** 20,
    onProgress,
    signal,
  });
  if (answer.kind === 'unknown' && timeoutSeconds !== undefined && /did not finish/.test(answer.reason)) {
    return { kind: 'unknown', reason: `${backend.title} did not finish within ${timeoutSeconds} s` };
  }
  return answer;
}

/** What "safe up to bounds" leaves open. */
function describeLimits(limits: readonly string[], { bounds }: SequentializeRequest): string[] {
  const notes: string[] = [];
  if (!bounds.unwindingAssertions) {
    notes.push('Executions that need more iterations were cut off, if there are any: --unwinding-assertions tells.');
  }
  if (limits.length > 0) notes.push(`Left out: ${limits.join('; ')}.`);
  return notes;
}

/** The program for the interpreter; null if it does not know all of it. */
function lowerSource({ read }: SequentializedFile, request: SequentializeRequest): Code | null {
  // Nothing goes on after an index outside of its array.
  const checks = new Set<CheckName>([...checksOf(read, request), 'bounds']);
  const { atomicStatements, errorLabels } = request.bounds;
  return read.program && lowerProgram(read.program, { checks, atomicStatements, errorLabels }, new DiagnosticSink());
}

function checksOf({ tokens }: SequentializedFile['read'], { checks }: SequentializeRequest): readonly CheckName[] {
  return checks ?? usualChecks(tokens);
}

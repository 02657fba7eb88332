// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its
// answer (backends/backend-engine.ts judges it). The command decides what to do with the report.

import { type BackendProblem, createBackendEngine } from '../backends/backend-engine.ts';
import type { CoverageQuestion } from '../backends/judge-coverage.ts';
import { type BackendResult, runBackend } from '../host/run-backend.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import type { CoveredBounds, Outcome } from '../outcome/outcome.ts';
import { describeOwnBounds, type Sought } from '../program/bounds.ts';
import type { CheckName } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import { findAssertions } from '../program/find-assertions.ts';
import { describeApproximations } from '../report/approximations.ts';
import type { CheckReport } from '../report/check-report.ts';
import { notesOn } from '../report/notes.ts';
import { markAssertions } from '../sequentialize/ask-coverage.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { invariant } from '../support/invariant.ts';
import { usualChecks } from '../verify/usual-checks.ts';
import type { backendOptions } from './backend-options.ts';
import type { Io } from './io.ts';
import type { OptionValues } from './options.ts';
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
  /** What is asked besides, each as a question of its own. */
  readonly sought?: readonly Sought[];
  readonly options: Pick<OptionValues<typeof backendOptions>, 'backendPath' | 'backendOptions'>;
  readonly timeoutSeconds?: number | undefined;
  readonly memoryLimitMegabytes?: number | undefined;
  readonly progress?: ProgressWish;
  /** Ends the backend. */
  readonly signal?: AbortSignal | undefined;
}

/** What reports call the program, and the files that it is read from. */
interface NamedFiles {
  readonly name: string;
  readonly files: readonly string[];
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
export async function checkWithBackend(check: BackendCheck, program: NamedFiles, io: Io): Promise<BackendCheckResult> {
  const deadline = performance.now() + 1000 * (check.timeoutSeconds ?? Number.POSITIVE_INFINITY);
  let first: BackendCheckResult | null = null;
  for (const request of questionsOf(check)) {
    const result = await askQuestion({ ...check, request }, program, deadline, io);
    if (result.kind !== 'checked' || result.report.outcome.kind !== 'bounded') return result;
    first ??= result;
  }
  invariant(first, 'nothing to ask');
  return first;
}

/** What was sought by name is asked last, and alone where nothing else is asked. */
function questionsOf({ request, sought = [] }: BackendCheck): readonly SequentializeRequest[] {
  const own = sought.map((seeks) => ({ ...request, checks: [seeks], bounds: { ...request.bounds, seeks } }));
  return sought.length > 0 && request.checks?.length === 0 ? own : [request, ...own];
}

async function askQuestion(
  check: BackendCheck,
  { name, files }: NamedFiles,
  deadline: number,
  io: Io,
): Promise<BackendCheckResult> {
  const { request } = check;
  const startMs = performance.now();
  const result = await sequentializeFile(request, io);
  if (result.kind !== 'sequentialized') return result;
  const progress = createProgress(io, check.progress);
  const onProgress = (text: string) => progress.show(`${request.backend.title}: ${text}`);
  const engine = createBackendEngine(request.backend, async (text, limitMs, all) => {
    const question = { text, dataModel: result.bounded.dataModel, asksAll: all !== undefined };
    const { answer } = await askBackend(check, question, limitMs, onProgress);
    return answer;
  });
  let nativeInput: string | null = null;
  const onNativeInput = (text: string | null) => {
    nativeInput = text;
  };
  const problem: BackendProblem = { ...problemOf(result, request), onNativeInput };
  const environment = { clock: () => performance.now() };
  const outcome = await engine.run(problem, { deadline, environment }).finally(() => progress.clear());
  invariant(outcome.kind !== 'candidate', 'a backend confirms its counterexamples itself');
  const limits = describeLimits(outcome, result, problem.code);
  const approximations = problem.code?.approximations ?? [];
  const report = {
    program: name,
    files,
    outcome,
    notes: [...limits, ...describeApproximations(approximations)],
    approximations,
    elapsedMs: performance.now() - startMs,
  };
  return { kind: 'checked', nativeInput, report };
}

/** What the backend is asked, and what its answer is judged by. */
export function problemOf(file: SequentializedFile, request: SequentializeRequest): BackendProblem {
  const code = lowerSource(file, request);
  const checks = new Set(checksOf(file.read, request));
  return { ...file, code, checks, bounds: boundsOf(request), coverage: () => toCoverageQuestion(file, code) };
}

export function boundsOf({ bounds, rounds, keptUnwind }: SequentializeRequest): CoveredBounds {
  return { unwind: keptUnwind ?? bounds.unwind, rounds };
}

interface BackendQuestion {
  /** Sequential C. */
  readonly text: string;
  readonly dataModel: DataModel;
  /** Which of all assertions can fail. */
  readonly asksAll: boolean;
}

export async function askBackend(
  { request, options, timeoutSeconds, memoryLimitMegabytes, signal }: BackendCheck,
  { text, dataModel, asksAll }: BackendQuestion,
  limitMs: number,
  onProgress: (text: string) => void,
): Promise<Pick<BackendResult, 'answer' | 'peakMemoryBytes'>> {
  const { backend } = request;
  if (backend.verifier === null)
    return { answer: { kind: 'unknown', reason: `${backend.title} is no verifier` }, peakMemoryBytes: 0 };
  const { afterCrash: _, ...asked } = { ...backend.verifier, ...backend.verifier.all };
  const { answer, peakMemoryBytes } = await runBackend({
    backend,
    verifier: asksAll ? asked : backend.verifier,
    text,
    dataModel,
    executable: options.backendPath,
    options: [...unwindingOf(request), ...options.backendOptions.flatMap((part) => splitCommand(part))],
    timeoutMs: timeoutSeconds === undefined ? undefined : Math.max(1, limitMs),
    memoryLimitBytes: memoryLimitMegabytes === undefined ? undefined : memoryLimitMegabytes * 2 ** 20,
    onProgress,
    signal,
  });
  if (answer.kind === 'unknown' && timeoutSeconds !== undefined && answer.limit === 'time') {
    const reason = `${backend.title} did not finish within ${timeoutSeconds} s`;
    return { answer: { ...answer, reason }, peakMemoryBytes };
  }
  return { answer, peakMemoryBytes };
}

/** What the backend is told of loops that are kept. */
function unwindingOf({ backend, rounds, keptUnwind }: SequentializeRequest): readonly string[] {
  return keptUnwind === undefined ? [] : (backend.verifier?.unwinding?.({ unwind: keptUnwind, rounds }) ?? []);
}

/** The question about the program with marks at its assertions; without marks if nobody knows where these are. */
function toCoverageQuestion(file: SequentializedFile, code: Code | null): CoverageQuestion | null {
  const sites = code && findAssertions(code);
  const asked = file.askCoverage((program) => (code && sites ? markAssertions(program, code, sites) : program));
  return asked && { text: asked.text, sites };
}

/** What "safe up to bounds" leaves open. */
export function describeLimits(
  outcome: Outcome,
  { limits: threadLimits, bounded }: SequentializedFile,
  code: Code | null,
) {
  const limits = code?.limits ?? [];
  if (outcome.kind !== 'bounded') return notesOn(outcome, []);
  // A limit of threads that is reached is one of the cuts.
  const all = outcome.cuts === null ? [...threadLimits, ...limits] : limits;
  const { keepLoops, unwind } = bounded.options;
  const ofThreads = keepLoops ? [`loops that create threads ${unwind}`] : [];
  const notes = notesOn(outcome, [...ofThreads, ...describeOwnBounds(bounded.options)]);
  return all.length > 0 ? [...notes, `Left out: ${all.join('; ')}.`] : notes;
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

// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its
// answer, bring its trace back to the source. The command decides what to do with the report.

import type { Backend, BackendAnswer } from '../backends/backend.ts';
import { BACKENDS } from '../backends/backends.ts';
import { printNativeInputs } from '../backends/native-inputs.ts';
import { readCheck } from '../backends/read-check.ts';
import { replayTrace } from '../backends/replay-trace.ts';
import { runBackend } from '../host/run-backend.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import type { CoveredBounds, Outcome, Unknown } from '../outcome/outcome.ts';
import type { CheckName } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import type { CheckReport } from '../report/check-report.ts';
import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
import { usualChecks } from '../verify/usual-checks.ts';
import type { Io } from './io.ts';
import type { OptionTable, OptionValues } from './options.ts';
import { createProgress } from './progress.ts';
import { splitCommand } from './run-preprocessor.ts';
import {
  type SequentializedFile,
  type SequentializeRequest,
  type SequentializeResult,
  sequentializeFile,
} from './sequentialize-file.ts';

const group = 'Backend';

export const backendOptions = {
  backend: {
    kind: 'choice',
    choices: BACKENDS.flatMap(({ name, verifier }) => (verifier === null ? [] : [name])),
    help: 'leave the check to this verifier, which must be installed',
    group,
  },
  backendPath: {
    kind: 'text',
    value: 'FILE',
    help: 'the executable of the backend, if not the one on the PATH',
    group,
  },
  backendOptions: { kind: 'text', value: 'OPTIONS', repeated: true, help: 'give these options to the backend', group },
  nativeInput: {
    kind: 'text',
    value: 'FILE',
    help: "write the values of a counterexample to FILE, for the program of 'sequentialize --backend gcc'",
    group,
  },
} as const satisfies OptionTable;

export interface BackendCheck {
  readonly request: SequentializeRequest;
  readonly options: Omit<OptionValues<typeof backendOptions>, 'backend'>;
  readonly timeoutSeconds?: number | undefined;
  readonly memoryLimitMegabytes?: number | undefined;
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
  const result = await sequentializeFile(request, io);
  if (result.kind !== 'sequentialized') return result;
  const progress = createProgress(io);
  const onProgress = (text: string) => progress.show(`${request.backend.title}: ${text}`);
  const ask = (text: string) => askBackend(check, text, performance.now() - startMs, onProgress);
  const { outcome, nativeInput } = await findOutcome(result, check, ask).finally(() => progress.clear());
  return {
    kind: 'checked',
    nativeInput,
    report: {
      program: request.file,
      outcome,
      notes: outcome.kind === 'bounded' ? describeLimits(result, request) : [],
      elapsedMs: performance.now() - startMs,
    },
  };
}

type Ask = (text: string) => Promise<BackendAnswer>;

/**
 * What the models leave out must neither hide a bug nor count as one. So executions that reach it are cut off first;
 * only when nothing is found, the backend is asked whether there are any.
 */
async function findOutcome(file: SequentializedFile, check: BackendCheck, ask: Ask): Promise<Found> {
  const { request } = check;
  const cutOff = file.cutOff();
  const answer = await ask(cutOff.text);
  if (answer.kind === 'unknown') return found(unknown(request, 'backend', answer.reason));
  if (answer.kind === 'violation') {
    const outcome = confirm(answer, cutOff, file, check);
    const prefix = drawingPrefix(request.backend);
    const nativeInput = printNativeInputs({ steps: answer.steps, text: cutOff.text, prefix });
    return { outcome, nativeInput: outcome.kind === 'unsafe' ? nativeInput : null };
  }
  const bounded: Outcome = { kind: 'bounded', ...origin(request), cuts: null, reason: null };
  if (cutOff.text === file.output.text) return found(bounded);
  const second = await ask(file.output.text);
  if (second.kind === 'unknown') return found(unknown(request, 'backend', second.reason));
  if (second.kind === 'safe') return found(bounded);
  const { message } = readCheck(second.description);
  const reason = message || 'the program reaches library functions that are not modelled';
  return found(unknown(request, 'backend', reason));
}

interface Found {
  readonly outcome: Outcome;
  readonly nativeInput: string | null;
}

function found(outcome: Outcome): Found {
  return { outcome, nativeInput: null };
}

/** Who gives the outcome, and for which bounds. */
function origin({ backend, bounds, rounds }: SequentializeRequest): { engine: string; bounds: CoveredBounds } {
  return { engine: backend.name, bounds: { unwind: bounds.unwind, rounds } };
}

export function unknown(request: SequentializeRequest, cause: Unknown['cause'], reason: string): Unknown {
  return { kind: 'unknown', ...origin(request), cause, reason, loc: null, attempts: [] };
}

/** How the functions begin that draw a value. */
function drawingPrefix({ spelling }: Backend): string {
  return spelling.nondet('int').replace(/int$/, '');
}

async function askBackend(
  { request, options, timeoutSeconds, memoryLimitMegabytes }: BackendCheck,
  text: string,
  spentMs: number,
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
    options: options.backendOptions.flatMap(splitCommand),
    timeoutMs: timeoutSeconds === undefined ? undefined : Math.max(1, timeoutSeconds * 1000 - spentMs),
    memoryLimitBytes: memoryLimitMegabytes === undefined ? undefined : memoryLimitMegabytes * 2 ** 20,
    onProgress,
  });
  if (answer.kind === 'unknown' && timeoutSeconds !== undefined && /did not finish/.test(answer.reason)) {
    return { kind: 'unknown', reason: `${backend.title} did not finish within ${timeoutSeconds} s` };
  }
  return answer;
}

/** What "safe up to bounds" leaves open. */
function describeLimits(file: SequentializedFile, request: SequentializeRequest): string[] {
  const notes: string[] = [];
  if (!request.bounds.unwindingAssertions) {
    notes.push('Executions that need more iterations were cut off, if there are any: --unwinding-assertions tells.');
  }
  const limits = [...file.limits, ...(lowerSource(file, request)?.limits ?? [])];
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

/**
 * A violation whose trace is read counts when the interpreter sees it, too; of backends without traces their word is
 * taken.
 */
function confirm(
  answer: Extract<BackendAnswer, { kind: 'violation' }>,
  output: Sequentialized,
  file: SequentializedFile,
  { request }: BackendCheck,
): Outcome {
  const { backend } = request;
  if (!backend.verifier?.tellsSteps) return { kind: 'unsafe', ...origin(request), trace: null };
  const code = lowerSource(file, request);
  if (!code) return unconfirmed(request, 'the interpreter does not know all of the program');
  const replayed = replayTrace({
    steps: answer.steps,
    description: answer.description,
    output,
    drawing: drawingPrefix(backend),
    bounded: file.bounded,
    code,
    checks: new Set(checksOf(file.read, request)),
    clock: () => performance.now(),
  });
  return replayed.kind === 'replayed'
    ? { kind: 'unsafe', ...origin(request), trace: replayed.trace }
    : unconfirmed(request, replayed.reason);
}

function unconfirmed(request: SequentializeRequest, reason: string): Outcome {
  const { title } = request.backend;
  return unknown(request, 'unconfirmed', `the counterexample of ${title} could not be confirmed: ${reason}`);
}

// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its
// answer, bring its trace back to the source. The command decides what to do with the report.

import type { Backend, BackendAnswer } from '../backends/backend.ts';
import { BACKENDS } from '../backends/backends.ts';
import { printNativeInputs } from '../backends/native-inputs.ts';
import { readCheck } from '../backends/read-check.ts';
import { replayTrace } from '../backends/replay-trace.ts';
import { runBackend } from '../host/run-backend.ts';
import { usualChecks } from '../host/usual-checks.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import type { CheckName } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import type { CheckReport, Verdict } from '../report/check-report.ts';
import type { Sequentialized } from '../sequentialize/sequentialize.ts';
import { DiagnosticSink } from '../support/diagnostics.ts';
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
  const { verdict, nativeInput } = await findVerdict(result, check, ask).finally(() => progress.clear());
  return {
    kind: 'checked',
    nativeInput,
    report: {
      program: request.file,
      verdict,
      notes: verdict.kind === 'safe-up-to-bounds' ? describeLimits(result, request) : [],
      bounds: { unwind: request.bounds.unwind, rounds: request.rounds },
      engine: request.backend.name,
      elapsedMs: performance.now() - startMs,
    },
  };
}

type Ask = (text: string) => Promise<BackendAnswer>;

/**
 * What the models leave out must neither hide a bug nor count as one. So executions that reach it are cut off first;
 * only when nothing is found, the backend is asked whether there are any.
 */
async function findVerdict(file: SequentializedFile, check: BackendCheck, ask: Ask): Promise<Found> {
  const cutOff = file.cutOff();
  const answer = await ask(cutOff.text);
  if (answer.kind === 'unknown') return found(answer);
  if (answer.kind === 'violation') {
    const verdict = confirm(answer, cutOff, file, check);
    const prefix = drawingPrefix(check.request.backend);
    const nativeInput = printNativeInputs({ steps: answer.steps, text: cutOff.text, prefix });
    return { verdict, nativeInput: verdict.kind === 'unsafe' ? nativeInput : null };
  }
  if (cutOff.text === file.output.text) return found({ kind: 'safe-up-to-bounds' });
  const second = await ask(file.output.text);
  if (second.kind === 'unknown') return found(second);
  if (second.kind === 'safe') return found({ kind: 'safe-up-to-bounds' });
  const { message } = readCheck(second.description);
  return found({ kind: 'unknown', reason: message || 'the program reaches library functions that are not modelled' });
}

interface Found {
  readonly verdict: Verdict;
  readonly nativeInput: string | null;
}

function found(verdict: Verdict): Found {
  return { verdict, nativeInput: null };
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
): Verdict {
  const { backend } = request;
  if (!backend.verifier?.tellsSteps) return { kind: 'unsafe', trace: null };
  const code = lowerSource(file, request);
  if (!code) return unconfirmed(backend, 'the interpreter does not know all of the program');
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
    ? { kind: 'unsafe', trace: replayed.trace }
    : unconfirmed(backend, replayed.reason);
}

function unconfirmed({ title }: Backend, reason: string): Verdict {
  return { kind: 'unknown', reason: `the counterexample of ${title} could not be confirmed: ${reason}` };
}

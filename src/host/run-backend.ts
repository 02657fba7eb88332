/**
 * Runs a backend on a sequential program: writes it to a temporary folder, runs the commands of the backend's row under
 * the limits, and reads the answer. A backend that is missing, crashes, or breaks a limit gives the answer `unknown`
 * with a reason in one line; it never throws for that.
 */

import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Backend,
  type BackendAnswer,
  type CommandLine,
  fillCommandLine,
  type Verifier,
  type VerifierOutput,
} from '../backends/backend.ts';
import type { DataModel } from '../program/data-model.ts';
import { type ProcessOutcome, type ProcessRequest, runProcess } from './run-process.ts';

export interface BackendRequest {
  readonly backend: Backend;
  readonly verifier: Verifier;
  /** The program as it was printed for this backend. */
  readonly text: string;
  readonly dataModel: DataModel;
  /** The executable, where it is not the one on the PATH. */
  readonly executable?: string | undefined;
  readonly options?: readonly string[];
  /** For all of it. */
  readonly timeoutMs?: number | undefined;
  readonly memoryLimitBytes?: number | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackendResult {
  readonly answer: BackendAnswer;
  readonly elapsedMs: number;
  /** 0 without a limit of memory: nobody looks then. */
  readonly peakMemoryBytes: number;
  /** What the backend printed, for those who want to see it. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The folder for what backends put aside. */
const TEMPORARY = 'tmp';

export async function runBackend(request: BackendRequest): Promise<BackendResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lazuli-'));
  try {
    return await runIn(folder, request);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runIn(folder: string, request: BackendRequest): Promise<BackendResult> {
  const { backend, verifier, onProgress } = request;
  const file = path.join(folder, 'sequentialized.c');
  await mkdir(path.join(folder, TEMPORARY));
  await writeFile(file, request.text);
  for (const [name, text] of Object.entries(verifier.files ?? {})) await writeFile(path.join(folder, name), text);
  const places = {
    file,
    output: path.join(folder, 'sequentialized.out'),
    model: verifier.dataModels[request.dataModel],
    options: request.options ?? [],
  };
  let elapsedMs = 0;
  if (verifier.prepare !== null) {
    const { command } = verifier.prepare;
    const prepared = await run(request, folder, command, fillCommandLine(verifier.prepare, places), elapsedMs);
    elapsedMs = prepared.elapsedMs;
    const reason = explainEnd(prepared, command, command, request) ?? explainFailedPreparation(prepared, command);
    if (reason !== null) return toResult(noAnswer(reason, prepared), prepared, elapsedMs);
  }
  const command = request.executable === undefined ? verifier.run.command : toCommand(request.executable);
  const onOutput = (text: string) => {
    const told = verifier.readProgress(text);
    if (told !== null) onProgress?.(told);
  };
  const start = (line: CommandLine) =>
    run(request, folder, command, fillCommandLine(line, places), elapsedMs, onOutput);
  let outcome = await start(verifier.run);
  elapsedMs += outcome.elapsedMs;
  let { readAnswer } = verifier;
  const { afterCrash } = verifier;
  if (outcome.end.kind === 'signalled' && afterCrash?.isOfUse(toOutput(outcome))) {
    outcome = await start(afterCrash.run);
    elapsedMs += outcome.elapsedMs;
    readAnswer = afterCrash.readAnswer;
  }
  const reason = explainEnd(outcome, backend.title, request.executable ?? command, request);
  if (reason !== null) return toResult(noAnswer(reason, outcome), outcome, elapsedMs);
  return toResult(readAnswer(toOutput(outcome)), outcome, elapsedMs);
}

function toOutput({ end, stdout, stderr }: ProcessOutcome): VerifierOutput {
  return { exitCode: end.kind === 'exited' ? end.code : 0, stdout, stderr };
}

/**
 * The backend runs in a folder of its own: the path of an executable is seen from ours. A mere name is looked up in the
 * PATH.
 */
function toCommand(executable: string): string {
  return executable.includes(path.sep) ? path.resolve(executable) : executable;
}

function run(
  request: BackendRequest,
  folder: string,
  command: string,
  args: readonly string[],
  spentMs: number,
  onOutput?: ProcessRequest['onOutput'],
): Promise<ProcessOutcome> {
  const { timeoutMs, memoryLimitBytes, signal } = request;
  // What it leaves behind there goes with the folder.
  const temporary = path.join(folder, TEMPORARY);
  return runProcess({
    command,
    args,
    directory: folder,
    // Some programs believe PWD more than the system.
    environment: { ...process.env, PWD: folder, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.max(1, timeoutMs - spentMs) }),
    ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
    ...(signal === undefined ? {} : { signal }),
    onInterrupt: () => rmSync(folder, { recursive: true, force: true }),
    ...(onOutput === undefined ? {} : { onOutput }),
  });
}

function noAnswer(reason: string, { end }: ProcessOutcome): BackendAnswer {
  if (end.kind === 'timeout') return { kind: 'unknown', reason, limit: 'time' };
  return { kind: 'unknown', reason, ...(end.kind === 'memory' && { limit: 'memory' }) };
}

function toResult(answer: BackendAnswer, outcome: ProcessOutcome, elapsedMs: number): BackendResult {
  const { stdout, stderr, peakMemoryBytes } = outcome;
  return { answer, elapsedMs, peakMemoryBytes, stdout, stderr };
}

/** Why there cannot be an answer; null if the program ended by itself. */
function explainEnd(
  { end, stderr }: ProcessOutcome,
  name: string,
  command: string,
  request: BackendRequest,
): string | null {
  switch (end.kind) {
    case 'exited':
      return null;
    case 'not-started':
      return `cannot run ${command}: ${end.reason}`;
    case 'timeout':
      return `${name} did not finish within ${formatSeconds(request.timeoutMs ?? 0)}`;
    case 'memory':
      return `${name} needs more than the ${Math.round((request.memoryLimitBytes ?? 0) / 2 ** 20)} MB that it may use`;
    case 'output':
      return `${name} wrote more output than can be read`;
    case 'cancelled':
      return `${name} was stopped`;
    case 'signalled': {
      const guess = end.signal === 'SIGKILL' ? ', perhaps because the machine ran out of memory' : '';
      return `${name} crashed (${end.signal}${guess})${lastLine(stderr)}`;
    }
  }
}

function explainFailedPreparation({ end, stderr }: ProcessOutcome, command: string): string | null {
  if (end.kind !== 'exited' || end.code === 0) return null;
  return `${command} failed (exit code ${end.code})${lastLine(stderr)}`;
}

function lastLine(text: string): string {
  const line = text.trim().split(/\r?\n/).at(-1)?.trim() ?? '';
  return line === '' ? '' : `: ${line}`;
}

function formatSeconds(ms: number): string {
  return `${ms / 1000} s`;
}

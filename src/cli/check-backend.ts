// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its answer,
// bring its trace back to the source. The command decides what to do with the report.

import type { Backend, BackendAnswer } from '../backends/backend.ts';
import { BACKENDS } from '../backends/backends.ts';
import { traceOnSource } from '../backends/trace-on-source.ts';
import type { CheckReport, Verdict } from '../report/check-report.ts';
import { runBackend } from '../swarm/run-backend.ts';
import type { Io } from './io.ts';
import type { OptionTable, OptionValues } from './options.ts';
import { createProgress } from './progress.ts';
import { splitCommand } from './read-input.ts';
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
  timeout: {
    kind: 'number',
    value: 'S',
    min: 0.001,
    max: 10_000_000,
    fraction: true,
    help: 'give up after S seconds',
    group,
  },
  memoryLimit: { kind: 'number', value: 'MB', min: 1, max: 10_000_000, help: 'give up beyond so much memory', group },
} as const satisfies OptionTable;

export type BackendOptionValues = OptionValues<typeof backendOptions>;

export interface BackendCheck {
  readonly request: SequentializeRequest;
  readonly options: Omit<BackendOptionValues, 'backend'>;
}

export type BackendCheckResult =
  | { readonly kind: 'checked'; readonly report: CheckReport }
  | Exclude<SequentializeResult, SequentializedFile>;

/** Checks a program with `request.backend`, which must have a verifier. What is wrong with the program has been told. */
export async function checkWithBackend({ request, options }: BackendCheck, io: Io): Promise<BackendCheckResult> {
  const startMs = performance.now();
  const result = sequentializeFile(request, io);
  if (result.kind !== 'sequentialized') return result;
  const { backend } = request;
  const report = (verdict: Verdict): BackendCheckResult => ({
    kind: 'checked',
    report: {
      program: request.file,
      verdict,
      bounds: { unwind: request.bounds.unwind, rounds: request.rounds },
      engine: backend.name,
      elapsedMs: performance.now() - startMs,
    },
  });
  if (backend.verifier === null) return report({ kind: 'unknown', reason: `${backend.title} is no verifier` });
  const progress = createProgress(io);
  const { answer } = await runBackend({
    backend,
    verifier: backend.verifier,
    text: result.output.text,
    dataModel: request.frontEnd.dataModel === '32' ? 'ILP32' : 'LP64',
    executable: options.backendPath,
    options: options.backendOptions.flatMap(splitCommand),
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    memoryLimitBytes: options.memoryLimit === undefined ? undefined : options.memoryLimit * 2 ** 20,
    onProgress: (text) => progress.show(`${backend.title}: ${text}`),
  }).finally(() => progress.clear());
  return report(toVerdict(answer, result, backend));
}

/** A violation of "unsupported" is the models' word for what they leave out. */
function toVerdict(answer: BackendAnswer, file: SequentializedFile, backend: Backend): Verdict {
  switch (answer.kind) {
    case 'safe':
      return { kind: 'safe-up-to-bounds' };
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason };
    case 'violation':
      return { kind: 'unsafe', trace: mapTrace(answer, file, backend) };
  }
}

function mapTrace(answer: Extract<BackendAnswer, { kind: 'violation' }>, file: SequentializedFile, backend: Backend) {
  const { output, bounded, read } = file;
  if (read.program === null) return null;
  const nondet = backend.spelling.nondet('int').replace(/int$/, '');
  return traceOnSource({
    steps: answer.steps,
    description: answer.description,
    output,
    program: read.program,
    creators: bounded.threads.map(({ creator }) => creator),
    isInput: (line) => line.includes(`= ${nondet}`) || line.includes(`)${nondet}`),
  });
}

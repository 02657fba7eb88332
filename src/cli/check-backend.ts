// The part of `lazuli check` that leaves the work to an external verifier: sequentialize, run the backend, read its answer,
// bring its trace back to the source. The command decides what to do with the report.

import type { Backend, BackendAnswer } from '../backends/backend.ts';
import { BACKENDS } from '../backends/backends.ts';
import { readCheck, traceOnSource } from '../backends/trace-on-source.ts';
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
} as const satisfies OptionTable;

export interface BackendCheck {
  readonly request: SequentializeRequest;
  readonly options: Omit<OptionValues<typeof backendOptions>, 'backend'>;
  readonly timeoutSeconds?: number | undefined;
  readonly memoryLimitMegabytes?: number | undefined;
}

export type BackendCheckResult =
  | { readonly kind: 'checked'; readonly report: CheckReport }
  | Exclude<SequentializeResult, SequentializedFile>;

/** Checks a program with `request.backend`, which must have a verifier. What is wrong with the program has been told. */
export async function checkWithBackend(check: BackendCheck, io: Io): Promise<BackendCheckResult> {
  const { request, options, timeoutSeconds, memoryLimitMegabytes } = check;
  const startMs = performance.now();
  const result = sequentializeFile(request, io);
  if (result.kind !== 'sequentialized') return result;
  const { backend } = request;
  const report = (verdict: Verdict): BackendCheckResult => ({
    kind: 'checked',
    report: {
      program: request.file,
      verdict,
      notes: describeLimits(verdict, request),
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
    timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    memoryLimitBytes: memoryLimitMegabytes === undefined ? undefined : memoryLimitMegabytes * 2 ** 20,
    onProgress: (text) => progress.show(`${backend.title}: ${text}`),
  }).finally(() => progress.clear());
  return report(toVerdict(answer, result, backend));
}

/** What "safe up to bounds" leaves open. */
function describeLimits({ kind }: Verdict, { bounds }: SequentializeRequest): string[] {
  if (kind !== 'safe-up-to-bounds' || bounds.unwindingAssertions) return [];
  return ['Executions that need more iterations were cut off, if there are any: --unwinding-assertions tells.'];
}

/** A violation of "unsupported" is the models' word for what they leave out. */
function toVerdict(answer: BackendAnswer, file: SequentializedFile, backend: Backend): Verdict {
  switch (answer.kind) {
    case 'safe':
      return { kind: 'safe-up-to-bounds' };
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason };
    case 'violation':
      if (readCheck(answer.description).check === 'unsupported') {
        return { kind: 'unknown', reason: readCheck(answer.description).message };
      }
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

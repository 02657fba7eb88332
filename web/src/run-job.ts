/** Runs a job in a worker of its own and ends the worker with it: after the answer, after the time, when cancelled. */

import type { Coverage } from '../../src/outcome/outcome.ts';
import type { Approximation } from '../../src/program/code.ts';
import type { CheckReport } from '../../src/report/check-report.ts';
import { endedEarly, reportOn } from '../../src/verify/report-on.ts';
import { FILE_NAME, type Job, type JobMessage } from './messages.ts';

/** The worker keeps the time itself; so much later it is ended from outside. */
const GRACE_MS = 4_000;

export type JobEnd = Extract<JobMessage, { readonly kind: 'report' | 'ranges' | 'read' | 'misused' | 'failed' }>;

export interface RunningJob {
  readonly end: Promise<JobEnd>;
  /** Ends it with what is covered so far. */
  cancel(): void;
}

export function runJob(job: Job, listener: (message: JobMessage) => void): RunningJob {
  const worker = new Worker(new URL('./verifier.ts', import.meta.url), { type: 'module' });
  const start = performance.now();
  let coverage: Coverage | null = null;
  let approximations: readonly Approximation[] = [];
  let finish: (end: JobEnd) => void = () => {};
  const end = new Promise<JobEnd>((resolve) => {
    finish = (result) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(result);
    };
  });
  const endEarly = (cause: 'time' | 'interrupted', reason: string) => {
    const { settings, text } = job;
    const source = { name: FILE_NAME, files: [{ fileName: FILE_NAME, text }] };
    const outcome = endedEarly(cause, reason, coverage);
    const report: CheckReport = reportOn(outcome, approximations, source, settings, performance.now() - start);
    finish({ kind: 'report', report });
  };
  const timer = setTimeout(() => endEarly('time', 'time is up'), job.settings.timeLimitMs + GRACE_MS);
  worker.onmessage = ({ data }: MessageEvent<JobMessage>) => {
    if (data.kind === 'covered') coverage = data.coverage;
    if (data.kind === 'approximations') approximations = data.approximations;
    switch (data.kind) {
      case 'report':
      case 'ranges':
      case 'read':
      case 'misused':
      case 'failed':
        finish(data);
        break;
      default:
        listener(data);
    }
  };
  worker.onerror = (event) => finish({ kind: 'failed', error: event.message || 'the worker could not be started' });
  worker.postMessage(job);
  return { end, cancel: () => endEarly('interrupted', 'cancelled') };
}

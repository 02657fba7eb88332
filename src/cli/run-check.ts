// Runs a check in its worker and waits for the end, whatever it is: an answer, time or memory that are up, Ctrl-C.

import { Worker } from 'node:worker_threads';
import type { CheckJob, CheckMessage, CheckResult } from '../host/check-messages.ts';
import { residentBytes } from '../host/run-process.ts';
import { type Coverage, NO_BOUNDS } from '../outcome/outcome.ts';

export interface CheckRun {
  readonly result: CheckResult | { readonly kind: 'interrupted' };
  /** The last that was covered. */
  readonly coverage: Coverage | null;
  readonly messages: readonly CheckMessage[];
}

const MEMORY_WATCH_MS = 40;

/**
 * The worker keeps the time itself; a little later it is ended from outside, in the middle of whatever it does. With
 * much time given there is more for the last thing, which may be to show a counterexample.
 */
function graceMs(timeLimitMs: number): number {
  return Math.min(4_000, Math.max(700, timeLimitMs / 20));
}

export function runCheck(job: CheckJob, listener: (message: CheckMessage) => void): Promise<CheckRun> {
  const messages: CheckMessage[] = [];
  let coverage: Coverage | null = null;
  const processes = new Set<number>();
  const resourceLimits =
    job.memoryLimitBytes === null ? {} : { maxOldGenerationSizeMb: Math.ceil(job.memoryLimitBytes / 1024 / 1024) };
  const startEpochMs = performance.timeOrigin + performance.now();
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./check-worker.cjs', import.meta.url), {
      workerData: { ...job, startEpochMs },
      resourceLimits,
    });
    const interrupt = () => finish({ kind: 'interrupted' });
    const stopWatching = watchMemory(job.memoryLimitBytes, processes, () => finish(outOf('memory', coverage)));
    const finish = (result: CheckRun['result']) => {
      clearTimeout(timer);
      stopWatching();
      process.off('SIGINT', interrupt);
      void worker.terminate();
      for (const pid of processes) endProcess(pid);
      resolve({ result, coverage, messages });
    };
    const timer = setTimeout(() => finish(outOf('time', coverage)), job.timeLimitMs + graceMs(job.timeLimitMs));
    process.on('SIGINT', interrupt);
    worker.on('message', (message: CheckMessage) => {
      listener(message);
      messages.push(message);
      if (message.kind === 'process' && message.isRunning) processes.add(message.pid);
      else if (message.kind === 'process') processes.delete(message.pid);
      if (message.kind === 'covered') coverage = message.coverage;
      if (message.kind === 'result') finish(message.result);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(outOf('memory', coverage));
      else finish({ kind: 'failed', error: error.message, stack: error.stack ?? '' });
    });
    worker.on('exit', (code) => finish({ kind: 'failed', error: `the worker ended with code ${code}`, stack: '' }));
  });
}

/**
 * The limit of the worker's heap does not count formulas and solvers, which lie outside of it: so the whole process is
 * watched, from what it has at the start, and native solvers with it. The action is called once the limit is passed;
 * the result ends the watch.
 */
function watchMemory(limitBytes: number | null, solvers: ReadonlySet<number>, action: () => void): () => void {
  if (limitBytes === null) return () => {};
  const startBytes = process.memoryUsage.rss();
  const timer = setInterval(() => {
    let bytes = process.memoryUsage.rss() - startBytes;
    for (const pid of solvers) bytes += residentBytes(pid);
    if (bytes > limitBytes) action();
  }, MEMORY_WATCH_MS);
  return () => clearInterval(timer);
}

function outOf(what: 'time' | 'memory', coverage: Coverage | null): CheckResult {
  const reason = what === 'time' ? 'time is up' : 'memory is used up';
  const engine = 'bounded';
  if (coverage) return { kind: 'outcome', outcome: { kind: 'bounded', engine, ...coverage, reason } };
  const nothing = { engine, bounds: NO_BOUNDS, loc: null, attempts: [] };
  return { kind: 'outcome', outcome: { kind: 'unknown', ...nothing, cause: what, reason } };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

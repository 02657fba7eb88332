/** Runs a check in its worker and waits for the end: an answer, time or memory that are up, an abort. */

import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Coverage } from '../outcome/outcome.ts';
import type { Approximation } from '../program/code.ts';
import type { PortableProgram } from '../verify/portable-code.ts';
import { endedEarly, reportOn } from '../verify/report-on.ts';
import type { CheckJob, CheckMessage, CheckResult, StartedCheckJob } from './check-messages.ts';
import { heapLimits, takeWorker, usualMemoryBytes } from './early-worker.ts';
import { residentBytes } from './resident-bytes.ts';

export interface CheckRun {
  readonly result: CheckResult | { readonly kind: 'aborted' };
  /** The last that was covered. */
  readonly coverage: Coverage | null;
  readonly approximations: readonly Approximation[];
  readonly messages: readonly CheckMessage[];
}

const MEMORY_WATCH_MS = 40;
const START_WATCH_MS = 2;
const LONGEST_START_MS = 5_000;

/**
 * The worker keeps the time itself; a little later it is ended from outside, in the middle of whatever it does. With
 * much time given there is more for the last thing, which may be to show a counterexample.
 */
function graceMs(timeLimitMs: number): number {
  return Math.min(4_000, Math.max(700, timeLimitMs / 20));
}

export interface CheckWatch {
  /** Is told all that the worker tells. */
  readonly listener: (message: CheckMessage) => void;
  /** Ends the check. */
  readonly signal?: AbortSignal | undefined;
  /** The process is somebody else's, whose flags stay as they are. */
  readonly isGuest?: boolean;
  /** Reads the program while the worker starts, if it can (read-ahead.ts). */
  readonly readAhead?: (job: CheckJob) => PortableProgram | null;
}

/** A program that is nested too deeply to be sent is left to the worker to read. */
function start(worker: Worker, job: StartedCheckJob): void {
  try {
    worker.postMessage(job);
  } catch (error) {
    if (!(error instanceof RangeError) || job.read === null) throw error;
    worker.postMessage({ ...job, read: null } satisfies StartedCheckJob);
  }
}

export function runCheck(job: CheckJob, watch: CheckWatch): Promise<CheckRun> {
  const { listener, signal, isGuest = false, readAhead } = watch;
  const messages: CheckMessage[] = [];
  let coverage: Coverage | null = null;
  let approximations: readonly Approximation[] = [];
  const processes = new Set<number>();
  const memoryLimitBytes = job.memoryLimitBytes ?? usualMemoryBytes();
  const startEpochMs = Date.now();
  return new Promise((resolve) => {
    const script = new URL('./check-worker.cjs', import.meta.url);
    const worker = takeWorker(script, workerOptions(job, isGuest));
    const starting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const proved = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const read = readAhead?.(job) ?? null;
    start(worker, { ...job, startEpochMs, starting, searcher: null, proved, read });
    const abort = () => finish({ kind: 'aborted' });
    const endedBy = (what: 'time' | 'memory'): CheckResult => {
      const elapsedMs = Date.now() - startEpochMs;
      const outcome = endedEarly(what, what === 'time' ? 'time is up' : 'memory is used up', coverage, job.goal);
      return { kind: 'report', report: reportOn(outcome, approximations, job, job, elapsedMs) };
    };
    const stopWatching = watchMemory(memoryLimitBytes, processes, () => finish(endedBy('memory')));
    const endProcesses = () => {
      for (const pid of processes) endProcess(pid);
    };
    process.on('exit', endProcesses);
    let isFinished = false;
    let hasAnswered = false;
    const finish = (result: CheckRun['result']) => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      stopWatching();
      signal?.removeEventListener('abort', abort);
      const leave = () => {
        endProcesses();
        process.off('exit', endProcesses);
        resolve({ result, coverage, approximations, messages });
      };
      // What an interrupted worker said before its end still arrives, a solver that it had just started with it.
      const isOver = noneStarting(starting).then(() => worker.terminate());
      if (hasAnswered) leave();
      else void isOver.then(leave);
    };
    const timer = setTimeout(() => finish(endedBy('time')), job.timeLimitMs + graceMs(job.timeLimitMs));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    worker.on('message', (message: CheckMessage) => {
      listener(message);
      messages.push(message);
      if (message.kind === 'process' && message.isRunning) processes.add(message.pid);
      else if (message.kind === 'process') processes.delete(message.pid);
      if (message.kind === 'approximations') approximations = message.approximations;
      if (message.kind === 'covered') coverage = message.coverage;
      if (message.kind === 'result') {
        hasAnswered = true;
        finish(message.result);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(endedBy('memory'));
      else finish({ kind: 'failed', error: error.message, stack: error.stack ?? '' });
    });
    worker.on('exit', (code) => finish({ kind: 'failed', error: `the worker ended with code ${code}`, stack: '' }));
  });
}

async function noneStarting(starting: Int32Array): Promise<void> {
  const latest = Date.now() + LONGEST_START_MS;
  while (Atomics.load(starting, 0) > 0 && Date.now() < latest) await setTimeoutPromise(START_WATCH_MS);
}

/** What the worker needs besides its job; null for what every worker gets. */
function workerOptions({ memoryLimitBytes }: CheckJob, isGuest: boolean): WorkerOptions | null {
  if (memoryLimitBytes === null && !isGuest) return null;
  return {
    resourceLimits: heapLimits(memoryLimitBytes ?? usualMemoryBytes()),
    ...(isGuest && { env: { ...process.env, LAZULI_GUEST: '1' } }),
  };
}

/**
 * The limit of the worker's heap does not count formulas and solvers, which lie outside of it: so the whole process is
 * watched, from what it has at the start, and native solvers with it. The action is called once the limit is passed;
 * the result ends the watch.
 */
function watchMemory(limitBytes: number, solvers: ReadonlySet<number>, action: () => void): () => void {
  const startBytes = process.memoryUsage.rss();
  const timer = setInterval(() => {
    let bytes = process.memoryUsage.rss() - startBytes;
    for (const pid of solvers) bytes += residentBytes(pid);
    if (bytes > limitBytes) action();
  }, MEMORY_WATCH_MS);
  return () => clearInterval(timer);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

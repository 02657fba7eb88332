/**
 * The worker in which a program is checked: the core of the tool, as the command line runs it, with what a browser has
 * in place of an operating system. It serves one job and ends with it; whoever cancels it terminates it.
 */

import wasmUrl from 'cadical-wasm/cadical.wasm?url';
import { NO_BOUNDS, type Outcome } from '../../src/outcome/outcome.ts';
import { findHoverRanges, HOVER_UNWIND } from '../../src/report/find-hover-ranges.ts';
import type { HoverRanges } from '../../src/report/html-ranges.ts';
import { createIncrementalSolvers } from '../../src/solver/incremental-cadical.ts';
import { diagnosticsToJson } from '../../src/support/print-diagnostics.ts';
import { observeAsEvents } from '../../src/verify/observe-as-events.ts';
import { readCode } from '../../src/verify/read-code.ts';
import { type Source, UsageError } from '../../src/verify/settings.ts';
import { type VerifyHost, verifyProgram } from '../../src/verify/verify.ts';
import { FILE_NAME, type Job, type JobMessage } from './messages.ts';
import { createSlicedSolver } from './sliced-solver.ts';

/** The types of the page's own world are loaded, not those of workers. */
const worker = self as unknown as {
  postMessage(message: JobMessage): void;
  onmessage: ((event: MessageEvent<Job>) => void) | null;
};
const send = (message: JobMessage) => worker.postMessage(message);

async function run(job: Job): Promise<JobMessage> {
  const source: Source = { name: FILE_NAME, files: [{ fileName: FILE_NAME, text: job.text }] };
  const host = createHost(job);
  try {
    if (job.kind === 'read') {
      readCode(source, job.settings, host);
      return { kind: 'read' };
    }
    if (job.kind === 'ranges') return { kind: 'ranges', ranges: findRanges(source, job) };
    return { kind: 'report', report: await verifyProgram(source, job.settings, host) };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'misused', message: error.message };
    throw error;
  }
}

function findRanges(source: Source, { settings }: Job): HoverRanges | null {
  const read = readCode(source, settings, {});
  if (read.kind === 'refused') return null;
  const { memoryModel, unwind } = settings;
  const bounds = { ...settings, unwind: unwind ?? HOVER_UNWIND };
  const unwinding = `${bounds.unwind} ${bounds.unwind === 1 ? 'time' : 'times'}`;
  return findHoverRanges({ ...read, bounds, memoryModel, unwinding, clock: () => performance.now() });
}

function createHost(job: Job): VerifyHost {
  const { seed } = job.settings;
  const onProgress = ({ conflicts }: { readonly conflicts: number }) => send({ kind: 'conflicts', conflicts });
  return {
    onDiagnostics: (diagnostics, sources) => {
      if (diagnostics.length > 0) send({ kind: 'diagnostics', diagnostics: diagnosticsToJson(diagnostics, sources) });
    },
    observe: ({ approximations }) => {
      send({ kind: 'approximations', approximations });
      return observeAsEvents(send);
    },
    environment: {
      clock: () => performance.now(),
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
      createSolver: () => createSlicedSolver({ wasmUrl, seed, onProgress }),
      createIncrementalSolvers: (shouldStop) => createIncrementalSolvers(shouldStop, wasmUrl),
      proveAside: (timeLimitMs) => proveAside(job, timeLimitMs),
    },
  };
}

/** Ends with this worker. */
function proveAside(job: Job, timeLimitMs: number): Promise<Outcome> {
  const aside = new Worker(new URL('./verifier.ts', import.meta.url), { type: 'module' });
  const lost = (reason: string): Outcome => {
    const common = { kind: 'unknown', engine: 'prove', bounds: NO_BOUNDS, loc: null, attempts: [] } as const;
    return { ...common, cause: 'limit', reason };
  };
  const settings = { ...job.settings, goal: 'proof', timeLimitMs } as const;
  aside.postMessage({ ...job, kind: 'prove', settings } satisfies Job);
  return new Promise((resolve) => {
    aside.onmessage = ({ data }: MessageEvent<JobMessage>) => {
      if (data.kind === 'report') resolve(data.report.outcome);
      else if (data.kind === 'failed') resolve(lost(`the proof engine failed: ${data.error}`));
      else if (data.kind === 'misused') resolve(lost('no proof was tried'));
      else return;
      aside.terminate();
    };
    aside.onerror = (event) => resolve(lost(`the proof engine failed: ${event.message}`));
  });
}

worker.onmessage = ({ data }) => {
  run(data).then(send, (error: unknown) => {
    send({ kind: 'failed', error: error instanceof Error ? error.message : String(error) });
  });
};

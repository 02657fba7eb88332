/**
 * The worker thread in which a check runs: front end, engine, solvers. The command line stays free to show progress, to
 * react to Ctrl-C and to end the worker when time or memory are up.
 */

import { readFileSync } from 'node:fs';
import { parentPort, Worker } from 'node:worker_threads';
import type { Searcher } from '../engines/prove/searcher.ts';
import { NO_BOUNDS, type Outcome } from '../outcome/outcome.ts';
import type { Code } from '../program/code.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { choosePortfolio } from '../solver/configurations.ts';
import { createIncrementalSolvers } from '../solver/incremental-cadical.ts';
import type { SatSolver } from '../solver/solver.ts';
import { type CompiledCode, compileSolver } from '../solver/solver-code.ts';
import { invariant } from '../support/invariant.ts';
import { diagnosticsToJson, printDiagnostics } from '../support/print-diagnostics.ts';
import { observeAsEvents } from '../verify/observe-as-events.ts';
import { unpackProgram } from '../verify/portable-code.ts';
import { readCode } from '../verify/read-code.ts';
import { reportOn } from '../verify/report-on.ts';
import { UsageError } from '../verify/settings.ts';
import { refusal, type VerifyHost, verifyProgram } from '../verify/verify.ts';
import type { CheckJob, CheckMessage, CheckResult, StartedCheckJob } from './check-messages.ts';
import { clockMs } from './clock.ts';
import { createEscalatingSolver } from './escalating-solver.ts';
import { createInspector, type InspectOptions, inspectCode } from './inspect-check.ts';
import type { ProcessWatch } from './native-solver.ts';
import { createPortfolioSolver } from './portfolio-solver.ts';
import { createFileReader } from './source-files.ts';
import { createWorkerSolver } from './worker-solver.ts';

const QUICK_CONFLICTS = 3_000;

function send(message: CheckMessage): void {
  parentPort?.postMessage(message);
}

async function run(job: StartedCheckJob): Promise<CheckResult> {
  const host = createHost(job);
  for (const diagnostics of job.read?.told ?? [])
    if (host.read) host.onDiagnostics?.(diagnostics, host.read.code.sources);
  try {
    if (job.showLoops) return listLoops(job, host);
    const timeLimitMs = job.timeLimitMs - (Date.now() - job.startEpochMs);
    return { kind: 'report', report: await verifyProgram(job, { ...job, timeLimitMs }, host) };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'misused', message: error.message };
    throw error;
  }
}

function createHost(job: StartedCheckJob): VerifyHost {
  const { dumps, validate } = job;
  const solverCode = compileOnce();
  const inspected: InspectOptions = { dumps, validate, send: (name, text) => send({ kind: 'dump', name, text }) };
  return {
    reader: createFileReader(),
    read: job.read ? unpackProgram(job.read) : undefined,
    onDiagnostics: (diagnostics, sources) => {
      if (diagnostics.length === 0) return;
      const text = printDiagnostics(diagnostics, sources, { colour: job.colours });
      send({ kind: 'diagnostics', text, diagnostics: diagnosticsToJson(diagnostics, sources) });
    },
    observe: (code) => {
      // Beside concrete runs.
      void solverCode();
      inspectCode(code, inspected);
      send({ kind: 'approximations', approximations: code.approximations });
      return { ...createInspector(code, inspected), ...observeAsEvents(send) };
    },
    environment: {
      clock: clockMs,
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
      createSolver: (shouldStop) => createSolver(job, solverCode, shouldStop),
      createIncrementalSolvers: (shouldStop) => createIncrementalSolvers(shouldStop, solverCode()),
      proveAside: (timeLimitMs, searcher = { index: 0, of: 1 }) => proveAside(job, timeLimitMs, searcher),
      searcher: job.searcher ?? { index: 0, of: job.jobs },
      isProved: () => Atomics.load(job.proved, 0) === 1,
    },
  };
}

function listLoops(job: CheckJob, host: VerifyHost): CheckResult {
  const read = host.read ?? readCode(job, job, host);
  if (read.kind === 'code') return { kind: 'loops', text: printLoops(read.code) };
  return { kind: 'report', report: reportOn(refusal(read.reason), [], job, job, 0) };
}

/** The user's loops; those of models are the tool's own business. */
function printLoops({ loops, functions, sources }: Code): string {
  const own = new Map(loops.map((loop) => [loop.name, loop]));
  return [...own.values()]
    .filter((loop) => functions[loop.function]?.isModel === false)
    .map(({ name, form, loc }) => {
      const place = sources.place(loc);
      return `${name}: ${form}${place ? ` at ${place.file}:${place.line}:${place.column}` : ''}\n`;
    })
    .join('');
}

/** The proof engine answers when it is done, not before: so it gets a worker of its own, on another core. */
function proveAside(job: StartedCheckJob, timeLimitMs: number, searcher: Searcher): Promise<Outcome> {
  const asked = { goal: 'proof', timeLimitMs, startEpochMs: Date.now(), searcher, jobs: 1 } as const;
  const proofJob: StartedCheckJob = { ...job, ...asked, dumps: [], validate: false };
  const worker = new Worker(new URL('./check-worker.cjs', import.meta.url));
  worker.postMessage(proofJob);
  const lost = (reason: string): Outcome => {
    const common = { kind: 'unknown', engine: 'prove', bounds: NO_BOUNDS, loc: null, attempts: [] } as const;
    return { ...common, cause: 'limit', reason };
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (message: CheckMessage) => {
      if (message.kind === 'time' || message.kind === 'process') send(message);
      if (message.kind !== 'result') return;
      const { result } = message;
      if (result.kind === 'report') resolve(result.report.outcome);
      // A fault of ours: where nothing but a proof is asked for, it is told as such.
      else if (result.kind === 'failed' && searcher.of > 1) reject(new Error(result.error));
      else resolve(lost(result.kind === 'failed' ? `the proof engine failed: ${result.error}` : 'no proof was tried'));
      void worker.terminate();
    });
    worker.on('error', (error: Error) => resolve(lost(`the proof engine failed: ${error.message}`)));
    worker.on('exit', () => resolve(lost('the proof engine ended early')));
  });
}

function watchProcesses({ starting }: StartedCheckJob): ProcessWatch {
  return {
    starting: () => void Atomics.add(starting, 0, 1),
    started: (pid) => {
      if (pid !== undefined) send({ kind: 'process', pid, isRunning: true });
      Atomics.sub(starting, 0, 1);
    },
    ended: (pid) => send({ kind: 'process', pid, isRunning: false }),
  };
}

/** Compiles the code of the embedded solver at the first call: once for all solvers of this thread. */
function compileOnce(): () => Promise<CompiledCode> {
  let compiled: Promise<CompiledCode> | null = null;
  return () => {
    if (compiled) return compiled;
    compiled = compileSolver(readFileSync(new URL('./cadical.wasm', import.meta.url)));
    // Whoever needs it is told.
    compiled.catch(() => {});
    return compiled;
  };
}

async function createSolver(
  job: StartedCheckJob,
  code: () => Promise<CompiledCode>,
  shouldStop: () => boolean = () => false,
): Promise<SatSolver> {
  const members = choosePortfolio(job.jobs, job.seed);
  const memoryLimitBytes = job.memoryLimitBytes === null ? {} : { memoryLimitBytes: job.memoryLimitBytes / job.jobs };
  const { solver } = job;
  if (solver !== 'wasm') {
    const { createNativeSolver } = await import('./native-solver.ts');
    const watch = watchProcesses(job);
    return createPortfolioSolver(members.map((member) => createNativeSolver({ program: solver, watch, ...member })));
  }
  const workerUrl = new URL('./solver-worker.cjs', import.meta.url);
  return createEscalatingSolver({
    createQuick: () => createCadical({ seed: job.seed, code: code(), shouldStop, ...memoryLimitBytes }),
    quickConflicts: QUICK_CONFLICTS,
    createStrong: async () =>
      createPortfolioSolver(
        members.map((member) =>
          createWorkerSolver({
            workerUrl,
            ...member,
            ...memoryLimitBytes,
            onProgress: ({ conflicts }) => send({ kind: 'conflicts', conflicts }),
          }),
        ),
      ),
  });
}

invariant(parentPort, 'this module runs in a worker thread');
parentPort.once('message', (job: StartedCheckJob) => {
  run(job).then(
    (result) => {
      send({ kind: 'result', result });
      if (result.kind === 'report' && result.report.outcome.kind === 'safe') Atomics.store(job.proved, 0, 1);
    },
    (error: unknown) => {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      send({ kind: 'result', result: { kind: 'failed', error: message, stack: stack ?? '' } });
    },
  );
});

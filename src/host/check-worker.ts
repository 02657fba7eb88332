/**
 * The worker thread in which a check runs: front end, engine, solvers. The command line stays free to show progress, to
 * react to Ctrl-C and to end the worker when time or memory are up.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { check } from '../engines/strategy.ts';
import { readProgram } from '../frontend/front-end.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import { NO_BOUNDS, type Outcome } from '../outcome/outcome.ts';
import type { CheckName } from '../program/check-names.ts';
import { modelDefines } from '../program/check-names.ts';
import type { Code } from '../program/code.ts';
import { createCadical } from '../solver/cadical-wasm.ts';
import { choosePortfolio } from '../solver/configurations.ts';
import type { SatSolver } from '../solver/solver.ts';
import { type Diagnostic, DiagnosticSink } from '../support/diagnostics.ts';
import { invariant } from '../support/invariant.ts';
import { printDiagnostics } from '../support/print-diagnostics.ts';
import type { CheckJob, CheckMessage, CheckResult, StartedCheckJob } from './check-messages.ts';
import { createEscalatingSolver } from './escalating-solver.ts';
import { findUnknownBound } from './find-unknown-bound.ts';
import { createInspector, type InspectOptions, inspectCode } from './inspect-check.ts';
import { createNativeSolver } from './native-solver.ts';
import { createPortfolioSolver } from './portfolio-solver.ts';
import { createFileReader } from './source-files.ts';
import { usualChecks } from './usual-checks.ts';
import { createWorkerSolver } from './worker-solver.ts';

const QUICK_CONFLICTS = 3_000;

function send(message: CheckMessage): void {
  parentPort?.postMessage(message);
}

async function run(job: StartedCheckJob): Promise<CheckResult> {
  const sink = new DiagnosticSink();
  const read = readProgram({
    fileName: job.fileName,
    text: job.text,
    dataModel: job.dataModel,
    includePaths: job.includePaths,
    defines: [...job.defines, ...modelDefines(job.checks ?? [])],
    undefines: job.undefines,
    reader: createFileReader(),
    models: true,
  });
  sendDiagnostics(printDiagnostics(read.diagnostics, read.sources, { colour: job.colours }));
  if (!read.program) return refuse('the program has errors');
  const checks = new Set<CheckName>(job.checks ?? usualChecks(read.tokens));
  // Nothing goes on after an index outside of its array: where that is no violation, the path ends there.
  const lowered = new Set<CheckName>([...checks, 'bounds']);
  const settings = { checks: lowered, atomicStatements: job.atomicStatements, errorLabels: true };
  const code = lowerProgram(read.program, settings, sink);
  sendDiagnostics(printDiagnostics(sink.all, read.sources, { colour: job.colours }));
  if (!code) return refuse(reasonFor(sink.all));
  const names = [...code.loops, ...code.functions].map(({ name }) => name);
  const unknown = findUnknownBound(job.unwindByName.keys(), names);
  if (unknown !== null) return { kind: 'misused', message: unknown };
  if (job.showLoops) return { kind: 'loops', text: printLoops(code) };
  inspectCode(code, inspectOptions(job));
  const outcome = await checkCode(code, job, checks);
  if (outcome.kind === 'unknown' && outcome.loc !== null) {
    const { loc, reason: message } = outcome;
    const diagnostic = { severity: 'error', loc, code: 'unsupported', message, notes: [] } as const;
    sendDiagnostics(printDiagnostics([diagnostic], read.sources, { colour: job.colours }));
  }
  return { kind: 'outcome', outcome };
}

/** Diagnostics were sent. */
function refuse(reason: string): CheckResult {
  const common = { kind: 'unknown', engine: 'bounded', bounds: NO_BOUNDS, attempts: [] } as const;
  return { kind: 'outcome', outcome: { ...common, cause: 'program', reason, loc: null } };
}

function reasonFor(diagnostics: readonly Diagnostic[]): string {
  const hasMain = diagnostics.every(({ code }) => code !== 'no-main');
  return hasMain ? 'the program uses what is not supported' : 'the program has no main';
}

function inspectOptions({ dumps, validate }: CheckJob): InspectOptions {
  return { dumps, validate, send: (name, text) => send({ kind: 'dump', name, text }) };
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

function sendDiagnostics(text: string): void {
  if (text !== '') send({ kind: 'diagnostics', text });
}

function checkCode(code: Code, job: StartedCheckJob, checks: ReadonlySet<CheckName>): Promise<Outcome> {
  return check({
    code,
    checks,
    options: job,
    timeLimitMs: job.timeLimitMs - (performance.timeOrigin + performance.now() - job.startEpochMs),
    environment: {
      clock: () => performance.now(),
      after: (ms, action) => {
        const timer = setTimeout(action, ms);
        return () => clearTimeout(timer);
      },
      createSolver: () => createSolver(job),
    },
    observer: {
      ...createInspector(code, inspectOptions(job)),
      onStage: (stage) => send({ kind: 'stage', stage }),
      onFormula: (stage, size) => send({ kind: 'formula', stage, size }),
      onCovered: ({ bounds, cuts }) => send({ kind: 'covered', coverage: { bounds, cuts } }),
      onTime: (what, ms) => send({ kind: 'time', what, ms }),
    },
  });
}

async function createSolver(job: CheckJob): Promise<SatSolver> {
  const members = choosePortfolio(job.jobs, job.seed);
  const memoryLimitBytes = job.memoryLimitBytes === null ? {} : { memoryLimitBytes: job.memoryLimitBytes / job.jobs };
  const { solver } = job;
  if (solver !== 'wasm') {
    const onProcess = (pid: number, isRunning: boolean) => send({ kind: 'process', pid, isRunning });
    return createPortfolioSolver(
      members.map((member) => createNativeSolver({ program: solver, onProcess, ...member })),
    );
  }
  const workerUrl = new URL('./solver-worker.cjs', import.meta.url);
  return createEscalatingSolver({
    createQuick: () => createCadical({ seed: job.seed, ...memoryLimitBytes }),
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
run(workerData as StartedCheckJob).then(
  (result) => send({ kind: 'result', result }),
  (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    send({ kind: 'result', result: { kind: 'failed', error: message, stack: stack ?? '' } });
  },
);

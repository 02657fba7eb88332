// `lazuli check`: the main job. Finds an interleaving that breaks the program, or says up to which bounds there is none.

import { availableParallelism } from 'node:os';
import { version } from '../../../package.json';
import { findBackend } from '../../backends/backends.ts';
import type { Stage } from '../../engines/stages.ts';
import { checkNames, defaultChecks } from '../../program/check-names.ts';
import type { CheckReport, ReportBounds, Verdict } from '../../report/check-report.ts';
import { printJsonReport } from '../../report/json.ts';
import { type CheckStatistics, printStatistics, type StageStatistics } from '../../report/statistics.ts';
import { printTextReport } from '../../report/text.ts';
import { invariant } from '../../support/invariant.ts';
import type { CheckDump, CheckJob, CheckMessage, CheckResult, SolverChoice } from '../../swarm/check-messages.ts';
import { isNativeSolverInstalled } from '../../swarm/native-solver.ts';
import { boundOptions, type ReadBounds, readBounds } from '../bound-options.ts';
import { backendOptions, checkWithBackend } from '../check-backend.ts';
import { createDumpSink, inspectOptions } from '../check-dumps.ts';
import { describeCoverage, showProgress } from '../check-progress.ts';
import { findTarget, type Target } from '../check-target.ts';
import { defineCommand, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { frontEndOptions } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { OptionValues } from '../options.ts';
import { hasClosedQuotes, readInput } from '../read-input.ts';
import type { WidthSource } from '../request-widths.ts';
import { type CheckRun, runCheck } from '../run-check.ts';
import { schemaOptions } from '../sequentialize-file.ts';
import { findOverwritten, writeFile } from '../write-file.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;

const options = {
  check: {
    kind: 'list',
    choices: ['all', 'default', ...checkNames.map(({ name }) => name)],
    help: 'what to look for (see below)',
  },
  property: { kind: 'text', value: 'FILE.prp', help: 'look for violations of this property' },
  timeout: {
    kind: 'number',
    value: 'SECONDS',
    min: 0.1,
    max: 1_000_000,
    fraction: true,
    default: DEFAULT_TIMEOUT_SECONDS,
    help: 'stop after this time and say what was covered',
  },
  memoryLimit: { kind: 'number', value: 'MB', min: 64, max: 1_000_000, help: 'use no more memory than this' },
  explore: { kind: 'flag', default: true, help: 'do not try concrete runs before the solver' },
  valueAnalysis: {
    kind: 'choice',
    choices: ['builtin', 'frama-c', 'none'],
    default: 'builtin',
    help: 'values in the bits that they need, or in their declared widths; frama-c is for --bitvectors',
  },
  seed: { kind: 'number', value: 'N', min: 0, max: 2 ** 31 - 1, default: 1, help: 'seed of all random choices' },
  jobs: {
    kind: 'number',
    short: 'j',
    value: 'N',
    min: 1,
    max: 64,
    help: 'solvers side by side (default: the cores, at most 4)',
  },
  solver: {
    kind: 'choice',
    choices: ['wasm', 'cadical', 'kissat'],
    default: 'wasm',
    help: 'the embedded solver, or a native one from the PATH',
  },
  json: { kind: 'text', value: 'FILE', help: 'write the report as JSON to FILE (- for the standard output)' },
  verbose: { kind: 'flag', short: 'v', help: 'show every step of a counterexample' },
  stats: { kind: 'choice', choices: ['text', 'json'], implied: 'text', help: 'print sizes and times to stderr' },
  contextSwitches: {
    kind: 'number',
    value: 'N',
    min: 0,
    max: 1000,
    help: 'bound the context switches instead of the rounds',
    group: 'Bounds',
  },
  ...boundOptions,
  ...schemaOptions,
  ...backendOptions,
  ...inspectOptions,
  ...frontEndOptions,
} as const;

type Options = OptionValues<typeof options>;

/** What only the embedded engine does. */
const EMBEDDED_ONLY: readonly (readonly [keyof Options, string])[] = [
  ['contextSwitches', '--context-switches'],
  ['solver', '--solver'],
  ['jobs', '--jobs'],
  ['dump', '--dump'],
  ['dumpDir', '--dump-dir'],
  ['showLoops', '--show-loops'],
  ['validate', '--validate'],
  ['stats', '--stats'],
];

/** What only a backend can do. */
const BACKEND_ONLY: readonly (readonly [keyof Options, string])[] = [
  ['schedule', '--schedule'],
  ['schema', '--schema'],
  ['backendPath', '--backend-path'],
  ['backendOptions', '--backend-options'],
  ['nativeInput', '--native-input'],
];

export const run = defineCommand({
  name: 'check',
  summary: 'Finds an interleaving that breaks a multi-threaded C program, or says up to which bounds there is none.',
  operands: { name: 'FILE', min: 1, max: 1 },
  options,
  notes: `FILE is C, preprocessed C or a task definition (.yml); - stands for the standard input. Without -u and -r the bounds grow until the time is up.

Checks (those with * by default; only assertion in programs that call __VERIFIER_error or reach_error):
${checkNames.map(({ name, isDefault, summary }) => `  ${isDefault ? '*' : ' '} ${name.padEnd(12)} ${summary}`).join('\n')}`,
  run: async ({ options, operands, given }, io) => checkFile(operands[0] ?? '', options, given, io),
});

async function checkFile(
  operand: string,
  options: Options,
  given: ReadonlySet<keyof Options>,
  io: Io,
): Promise<ExitCode> {
  const startMs = performance.now();
  const target = findTarget(operand, options, given.has('dataModel'));
  if (target.kind === 'problem') return reportUsage(io, 'check', target.message);
  const bounds = readBounds(options);
  if (bounds.kind === 'problem') return reportUsage(io, 'check', bounds.message);
  const misuse = findValueAnalysisMisuse(options);
  if (misuse !== null) return reportUsage(io, 'check', misuse);
  const overwritten = findOverwritten([options.json, options.nativeInput], [operand, target.file]);
  if (overwritten !== null) return reportUsage(io, 'check', overwritten);
  if (options.backend !== undefined) return checkByBackend(target, bounds, options, given, io);
  if (given.has('dumpDir') && !given.has('dump')) return reportUsage(io, 'check', '--dump-dir needs --dump');
  const needless = BACKEND_ONLY.find(([name]) => given.has(name));
  if (needless) return reportUsage(io, 'check', `${needless[1]} needs --backend`);
  if (options.unwindingAssertions) {
    return reportUsage(
      io,
      'check',
      '--unwinding-assertions needs --backend; here the answer always says whether executions are cut off',
    );
  }
  if (given.has('rounds') && options.contextSwitches !== undefined) {
    return reportUsage(io, 'check', '--rounds and --context-switches exclude each other');
  }
  const { solver } = options;
  if (solver !== 'wasm' && !(await isNativeSolverInstalled(solver))) {
    return reportUsage(io, 'check', `there is no '${solver}' on the PATH`);
  }
  const frontEnd = { ...options, dataModel: target.dataModel };
  const input = await readInput(target.file, frontEnd);
  if (input.kind !== 'text') {
    io.err.write(input.kind === 'unusable' ? `lazuli: ${input.message}\n` : `${input.message}\n`);
    return input.kind === 'unusable' ? exitCodes.file : exitCodes.program;
  }
  const { whileUnwind, forUnwind, unwindset, atomicStatements } = bounds.options;
  const job: CheckJob = {
    fileName: input.fileName,
    text: input.text,
    dataModel: target.dataModel === '32' ? 'ILP32' : 'LP64',
    includePaths: options.include,
    defines: options.define,
    undefines: options.undefine,
    unwind: given.has('unwind') ? options.unwind : null,
    rounds: given.has('rounds') ? options.rounds : null,
    contextSwitches: options.contextSwitches ?? null,
    unwindByForm: {
      ...(whileUnwind === null ? {} : { while: whileUnwind, do: whileUnwind }),
      ...(forUnwind === null ? {} : { for: forUnwind }),
    },
    unwindByName: unwindset,
    unwindConstantLoops: options.unwindConstantLoops,
    closingMain: options.closingMain,
    atomicStatements,
    checks: target.checks,
    explore: options.explore,
    valueAnalysis: options.valueAnalysis === 'none' ? 'none' : 'builtin',
    seed: options.seed,
    timeLimitMs: options.timeout * 1000,
    solver: solver as SolverChoice,
    jobs: options.jobs ?? Math.min(4, availableParallelism()),
    memoryLimitBytes: options.memoryLimit === undefined ? null : options.memoryLimit * 1024 * 1024,
    dumps: options.dump as readonly CheckDump[],
    showLoops: options.showLoops,
    validate: options.validate,
    colours: io.err.colours,
  };
  const dump = createDumpSink(options.dumpDir, target.file, io.out);
  const progress = showProgress(io);
  const done = await runCheck(job, (message) => {
    progress.receive(message);
    if (message.kind === 'diagnostics') {
      progress.end();
      io.err.write(message.text);
    } else if (message.kind === 'dump') dump(message.name, message.text);
  });
  progress.end();
  if (done.result.kind === 'unsafe' && options.dump.includes('trace')) {
    // Without the time, so that dumps of the same check are the same.
    dump('trace.json', printJsonReport(toReport(done.result, job, 0), version));
  }
  return report(done, job, options, performance.now() - startMs, io);
}

function report(done: CheckRun, job: CheckJob, options: Options, elapsedMs: number, io: Io): ExitCode {
  const { result, coverage } = done;
  if (options.stats !== undefined)
    io.err.write(printStatistics(toStatistics(done.messages, elapsedMs), options.stats === 'json'));
  switch (result.kind) {
    case 'interrupted':
      io.err.write(`lazuli: interrupted; ${coverage ? describeCoverage(coverage) : 'nothing was covered yet'}\n`);
      return exitCodes.interrupted;
    case 'failed':
      io.err.write(
        `lazuli: internal error: ${result.error.replace(/\s*\n\s*/g, ' ')}; please report it with the input\n`,
      );
      if (io.env.LAZULI_DEBUG === '1') io.err.write(`${result.stack}\n`);
      return exitCodes.internal;
    case 'loops':
      io.out.write(result.text);
      return exitCodes.ok;
    case 'misused':
      return reportUsage(io, 'check', result.message);
    case 'refused':
      writeReport(toReport(result, job, elapsedMs), options, io);
      return exitCodes.program;
    case 'unsafe':
    case 'safe':
    case 'bounded':
    case 'unknown':
      return writeReport(toReport(result, job, elapsedMs), options, io);
  }
}

function toStatistics(messages: readonly CheckMessage[], elapsedMs: number): CheckStatistics {
  const times = new Map<string, number>();
  const stages: StageStatistics[] = [];
  for (const message of messages) {
    if (message.kind === 'formula') stages.push({ ...message.stage, ...message.size });
    if (message.kind === 'time') times.set(message.what, (times.get(message.what) ?? 0) + message.ms);
  }
  return { stages, times, elapsedMs, peakMemoryBytes: process.resourceUsage().maxRSS * 1024 };
}

/** The checks that the emitted C has. */
const EMITTED_CHECKS: ReadonlySet<string> = new Set(['assertion', 'mutex', 'thread', 'unreachable']);

function findValueAnalysisMisuse({ backend, bitvectors, valueAnalysis }: Options): string | null {
  if (bitvectors && backend === undefined) return '--bitvectors needs --backend cbmc';
  if (bitvectors && valueAnalysis === 'none') return '--bitvectors needs a value analysis';
  if (valueAnalysis !== 'frama-c' || bitvectors) return null;
  return backend === undefined
    ? '--value-analysis frama-c needs --backend cbmc --bitvectors; the embedded engine takes builtin or none'
    : '--value-analysis frama-c needs --bitvectors';
}

/** Leaves the check to an external verifier. It has fixed bounds: those of the options, or their defaults. */
async function checkByBackend(
  target: Extract<Target, { kind: 'target' }>,
  bounds: Extract<ReadBounds, { kind: 'bounds' }>,
  options: Options,
  given: ReadonlySet<keyof Options>,
  io: Io,
): Promise<ExitCode> {
  const backend = findBackend(options.backend ?? '');
  invariant(backend, 'the option allows names of the table only');
  if (options.backendPath === '') return reportUsage(io, 'check', '--backend-path needs the name of a file');
  if (!options.backendOptions.every(hasClosedQuotes)) {
    return reportUsage(io, 'check', '--backend-options has a quote that is not closed');
  }
  const needless = EMBEDDED_ONLY.find(([name]) => given.has(name));
  if (needless) return reportUsage(io, 'check', `${needless[1]} does not go with --backend`);
  const missing = (target.checks ?? defaultChecks()).filter((name) => !EMITTED_CHECKS.has(name));
  if (missing.length > 0 && (given.has('check') || given.has('property'))) {
    return reportUsage(
      io,
      'check',
      `with --backend there is no check of ${missing.join(', ')}; --backend-options may turn the backend's own on`,
    );
  }
  const request = {
    file: target.file,
    frontEnd: { ...options, dataModel: target.dataModel },
    bounds: bounds.options,
    rounds: options.rounds,
    closingMain: options.closingMain,
    schedule: bounds.schedule,
    schema: options.schema === 'cav14' ? ('cav14' as const) : ('lazy2' as const),
    backend,
    checks: target.checks,
    lineDirectives: false,
    bitvectors: options.bitvectors ? (options.valueAnalysis as WidthSource) : undefined,
    timeoutSeconds: options.timeout,
  };
  const startMs = performance.now();
  const limits = { timeoutSeconds: options.timeout, memoryLimitMegabytes: options.memoryLimit };
  const checked = await checkWithBackend({ request, options, ...limits }, io);
  switch (checked.kind) {
    case 'failed':
      if (checked.code === exitCodes.program) {
        const { file, bounds, rounds } = request;
        const verdict = { kind: 'unknown', reason: 'the program has errors, or uses what is not supported' } as const;
        const elapsedMs = performance.now() - startMs;
        const cover = { bounds: { unwind: bounds.unwind, rounds }, notes: [] };
        writeReport({ program: file, verdict, ...cover, engine: backend.name, elapsedMs }, options, io);
      }
      return checked.code;
    case 'misused':
      return reportUsage(io, 'check', checked.message);
    case 'checked': {
      const { report, nativeInput } = checked;
      const isSafe = report.verdict.kind === 'safe-up-to-bounds' && missing.length > 0;
      const notes = isSafe ? [...report.notes, `Not looked for with a backend: ${missing.join(', ')}.`] : report.notes;
      const code = writeReport({ ...report, notes }, options, io);
      if (options.nativeInput !== undefined && nativeInput !== null) writeFile(options.nativeInput, nativeInput);
      return code;
    }
  }
}

type Told = Exclude<CheckResult, { kind: 'failed' | 'loops' | 'misused' }>;

function writeReport(report: CheckReport, options: Options, io: Io): ExitCode {
  const { colours, columns } = io.out;
  if (options.json !== '-') io.out.write(printTextReport(report, { colours, columns, verbose: options.verbose }));
  if (options.json === '-') io.out.write(printJsonReport(report, version));
  else if (options.json !== undefined) writeFile(options.json, printJsonReport(report, version));
  switch (report.verdict.kind) {
    case 'unsafe':
      return exitCodes.violation;
    case 'safe':
    case 'safe-up-to-bounds':
      return exitCodes.ok;
    case 'unknown':
      return exitCodes.unknown;
  }
}

function toReport(result: Told, job: CheckJob, elapsedMs: number): CheckReport {
  const stage = 'coverage' in result ? result.coverage.stage : 'stage' in result ? result.stage : null;
  const isSafe = result.kind === 'safe';
  return {
    program: job.fileName,
    verdict: toVerdict(result),
    bounds: isSafe ? { unwind: null, rounds: null } : boundsOf(result, stage, job),
    notes: notesOn(result),
    engine: result.kind === 'unsafe' ? result.engine : 'bounded',
    elapsedMs,
  };
}

/** An unwinding bound that cuts nothing off is none. */
function boundsOf(result: Told, stage: Stage | null, { contextSwitches }: CheckJob): ReportBounds {
  const isUncut = result.kind === 'bounded' && result.coverage.cuts?.length === 0;
  const unwind = isUncut ? null : (stage?.unwind ?? null);
  if (contextSwitches !== null) return { unwind, rounds: null, contextSwitches };
  return { unwind, rounds: stage?.rounds ?? null };
}

function toVerdict(result: Told): Verdict {
  switch (result.kind) {
    case 'unsafe':
      return { kind: 'unsafe', trace: result.trace };
    case 'safe':
      return { kind: 'safe' };
    case 'bounded':
      return { kind: 'safe-up-to-bounds' };
    case 'unknown':
    case 'refused':
      return { kind: 'unknown', reason: result.reason };
  }
}

/** What a bounded answer leaves open. */
function notesOn(result: Told): string[] {
  if (result.kind !== 'bounded') return [];
  const { cuts } = result.coverage;
  const notes: string[] = [];
  if (result.reason !== null) notes.push(`Stopped before larger bounds: ${result.reason}.`);
  if (cuts === null) notes.push('Whether the unwinding bound cuts executions off is not known.');
  else if (cuts.length === 0) notes.push('No execution is cut off by the unwinding bound.');
  else notes.push(`Executions are cut off by the unwinding bounds: ${cuts.join(', ')}.`);
  return notes;
}

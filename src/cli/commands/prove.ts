// `lazuli prove`: asks for a proof and nothing else. No bug is looked for: where there is no proof, nothing is said
// about the program.

import type { CheckDump, CheckJob, CheckMessage } from '../../host/check-messages.ts';
import { readAhead } from '../../host/read-ahead.ts';
import { runCheck } from '../../host/run-check.ts';
import type { CheckReport } from '../../report/check-report.ts';
import { endedEarly, reportOn } from '../../verify/report-on.ts';
import { createDumpSink, dumpInvariant } from '../check-dumps.ts';
import { usualJobs } from '../check-job.ts';
import { checkOptions } from '../check-options.ts';
import { showProgress } from '../check-progress.ts';
import { type CheckTarget, findTarget } from '../check-target.ts';
import { defineCommand, reportUnusable, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { frontEndOptions } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import { nameProgram, type ProgramInput, readProgramInput } from '../program-input.ts';
import { progressOptions } from '../progress.ts';
import { readSettings, toBytes } from '../read-settings.ts';
import { reportInternal } from '../report-internal.ts';
import { NOT_BY_SIGNAL, watchSignals } from '../signals.ts';
import { ensureWritable, findOverwritten } from '../write-file.ts';
import { findReportMisuse, reportFiles, reportOptions, writeFiles, writeReport } from '../write-report.ts';

const options = {
  check: checkOptions.check,
  property: { ...checkOptions.property, help: 'look for violations of this property; of several, of all of them' },
  memoryModel: checkOptions.memoryModel,
  timeout: { ...checkOptions.timeout, help: 'give up after this time' },
  memoryLimit: checkOptions.memoryLimit,
  jobs: { ...checkOptions.jobs, help: 'attempts side by side (default: the cores, at most 4)' },
  dump: {
    kind: 'list',
    choices: ['code', 'invariant'],
    help: 'show the code, or the whole invariant',
    group: 'Debugging',
  },
  dumpDir: checkOptions.dumpDir,
  ...reportOptions,
  ...progressOptions,
  ...frontEndOptions,
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const run = defineCommand({
  name: 'prove',
  summary: 'Proves that no execution violates a check, for any number of iterations, interleavings and threads.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, unless: 'compileCommands', compiled: true },
  options,
  notes: [
    'FILE is C, preprocessed C or a task definition (.yml); - stands for the standard input. Several files are linked.',
    'No bugs are looked for: `unknown` says nothing about the program. docs/prove.md tells what is proved, and how.',
  ].join(' '),
  run: async ({ options, operands, given }, io) => proveFiles(operands, options, given, io),
});

async function proveFiles(
  operands: readonly string[],
  options: Options,
  given: ReadonlySet<keyof Options>,
  io: Io,
): Promise<ExitCode> {
  const startMs = performance.now();
  if (given.has('dumpDir') && !given.has('dump')) return reportUsage(io, 'prove', '--dump-dir needs --dump');
  if (given.has('check') && given.has('property'))
    return reportUsage(io, 'prove', '--check and --property exclude each other');
  const reports = { ...options, verbose: false };
  const misuse = findReportMisuse(reports);
  if (misuse !== null) return reportUsage(io, 'prove', misuse);
  const target = await findTarget(operands, options, given.has('dataModel'));
  if (target.kind === 'problem') return reportUsage(io, 'prove', target.message);
  if (target.kind === 'unusable') return reportUnusable(io, target.message);
  const overwritten = findOverwritten(reportFiles(reports), [...operands, ...target.files]);
  if (overwritten !== null) return reportUsage(io, 'prove', overwritten);
  ensureWritable(reportFiles(reports));
  const frontEnd = { ...options, ...target.frontEnd };
  const input = await readProgramInput(target.files, frontEnd, target.isDataModelGiven, io);
  if (input.kind === 'failed') return input.code;
  const job = toJob(input, target, options, io);
  const progress = showProgress(io, job.timeLimitMs, given.has('progress') ? options.progress : null);
  const signals = watchSignals();
  const dump = createDumpSink(options.dumpDir, job.files[0]?.fileName ?? job.name, io.out);
  const listener = (message: CheckMessage) => {
    progress.receive(message);
    if (message.kind === 'dump') dump(message.name, message.text);
    if (message.kind !== 'diagnostics') return;
    progress.end();
    io.err.write(message.text);
  };
  const { result, approximations } = await runCheck(job, { listener, signal: signals.signal, readAhead });
  signals.end();
  progress.end();
  switch (result.kind) {
    case 'aborted': {
      const { words, code } = signals.interruption() ?? NOT_BY_SIGNAL;
      io.err.write(`lazuli: ${words}; nothing is proved\n`);
      const outcome = endedEarly('interrupted', words, null, 'proof');
      const report = reportOn(outcome, approximations, job, job, performance.now() - startMs);
      writeFiles(report, reports, io);
      return code;
    }
    case 'failed':
      return reportInternal(io, result.error, result.stack);
    case 'misused':
      return reportUsage(io, 'prove', result.message);
    case 'loops':
      return exitCodes.internal;
    case 'report': {
      const elapsedMs = performance.now() - startMs;
      if (options.dump.includes('invariant')) dumpInvariant(result.report.outcome, dump);
      const confirmed = options.witness === undefined ? result.report : await confirm(result.report, job);
      return writeReport({ ...confirmed, elapsedMs }, reports, io);
    }
  }
}

/** The witness of a proof has only what is proved once more. */
async function confirm(report: CheckReport, job: CheckJob): Promise<CheckReport> {
  const { confirmInvariants } = await import('../confirm-invariants.ts');
  return confirmInvariants(report, job);
}

function toJob(input: ProgramInput, target: CheckTarget, options: Options, io: Io): CheckJob {
  return {
    ...readSettings(input, target, options),
    name: nameProgram(target.files, options),
    files: input.files,
    goal: 'proof',
    solver: 'wasm',
    jobs: options.jobs ?? usualJobs(),
    memoryLimitBytes: toBytes(options.memoryLimit),
    dumps: options.dump as readonly CheckDump[],
    showLoops: false,
    validate: false,
    colours: io.err.colours,
  };
}

// `lazuli check`: the main job. Finds an interleaving that breaks the program, or says up to which bounds there is
// none.

import { version } from '../../../package.json';
import type { CheckJob, CheckMessage } from '../../host/check-messages.ts';
import { clockMs } from '../../host/clock.ts';
import { readAhead } from '../../host/read-ahead.ts';
import { type CheckRun, runCheck } from '../../host/run-check.ts';
import { checkNames } from '../../program/check-names.ts';
import { printJsonReport } from '../../report/json.ts';
import { describeCoverage } from '../../report/progress-words.ts';
import { type CheckStatistics, printStatistics, type StageStatistics } from '../../report/statistics.ts';
import { endedEarly, reportOn } from '../../verify/report-on.ts';
import { readBounds } from '../bound-options.ts';
import { createDumpSink, dumpInvariant } from '../check-dumps.ts';
import { type JobSetup, readJob } from '../check-job.ts';
import { aboutTarget, checkMany } from '../check-many.ts';
import { type CheckCommandOptions, checkOptions, findBatchMisuse, findMisuse } from '../check-options.ts';
import { showProgress } from '../check-progress.ts';
import { type CheckTarget, findQuestions, findTarget } from '../check-target.ts';
import { defineCommand, reportUnusable, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { compilerNote } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { ProgressWish } from '../progress.ts';
import { readText } from '../read-input.ts';
import { type ReadWitness, readWitness } from '../read-witness.ts';
import { reportInternal } from '../report-internal.ts';
import { type Interruption, NOT_BY_SIGNAL, watchSignals } from '../signals.ts';
import type { WitnessInvariant } from '../witness-invariants.ts';
import { ensureWritable, findOverwritten } from '../write-file.ts';
import { reportFiles, writeFiles, writeReport } from '../write-report.ts';

type RunBackendCheck = typeof import('../run-backend-check.ts')['runBackendCheck'];
type Given = ReadonlySet<keyof CheckCommandOptions>;

export const run = defineCommand({
  name: 'check',
  summary: 'Finds an interleaving that breaks a multi-threaded C program, or says up to which bounds there is none.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, unless: 'compileCommands', compiled: true },
  options: checkOptions,
  notes: `FILE is C, preprocessed C or a task definition (.yml); - stands for the standard input. Several files are linked; several tasks, and with --each several files, are programs of their own: a summary ends the output, and the exit code is 10 if one is violated, else that of the worst. ${compilerNote} Without -u and -r the bounds grow until the time is up.

Checks (those with * by default; only assertion in programs that call __VERIFIER_error or reach_error):
${checkNames.map(({ name, isDefault, summary }) => `  ${isDefault ? '*' : ' '} ${name.padEnd(12)} ${summary}`).join('\n')}`,
  run: async ({ options, operands, given }, io) => checkFiles(operands, options, given, io),
});

async function checkFiles(
  operands: readonly string[],
  options: CheckCommandOptions,
  given: Given,
  io: Io,
): Promise<ExitCode> {
  const startMs = clockMs();
  const misuse = findMisuse(options, given);
  if (misuse !== null) return reportUsage(io, 'check', misuse);
  const bounds = readBounds(options);
  if (bounds.kind === 'problem') return reportUsage(io, 'check', bounds.message);
  const find = options.backend === undefined ? findQuestions : findTarget;
  const found = await find(operands, options, given.has('dataModel'));
  if (found.kind === 'problem') return reportUsage(io, 'check', found.message);
  if (found.kind === 'unusable') return reportUnusable(io, found.message);
  const questions = found.kind === 'questions' ? found.questions : [found];
  const isOne = questions.length === 1 && !options.each;
  const tooMuch = isOne ? null : findBatchMisuse(given);
  if (tooMuch !== null) return reportUsage(io, 'check', tooMuch);
  const written = [...reportFiles(options, isOne), options.nativeInput];
  const overwritten = findOverwritten(written, [...operands, ...questions.flatMap(({ files }) => files)]);
  if (overwritten !== null) return reportUsage(io, 'check', overwritten);
  ensureWritable(written);
  if (found.kind === 'target') return checkWithBackend(found, bounds, options, given, io);
  const { solver } = options;
  if (solver !== 'wasm' && !(await isInstalled(solver))) {
    return reportUsage(io, 'check', `there is no '${solver}' on the PATH`);
  }
  const witness = options.validateWitness === undefined ? undefined : readWitnessFile(options.validateWitness);
  if (witness?.kind === 'problem') return reportUsage(io, 'check', `${options.validateWitness}: ${witness.message}`);
  if (witness?.kind === 'unusable') return reportUnusable(io, witness.message);
  const setup: JobSetup = { bounds: bounds.options, options, given };
  const wish = given.has('progress') ? options.progress : null;
  const [target] = questions;
  if (!isOne || target?.kind !== 'target') return checkMany(questions, setup, wish, io);
  const read = await readJob(target, setup, io);
  if (read.kind === 'failed') return read.code;
  const validation = witness?.kind === 'invariants' ? await validateInvariants(read.job, witness.invariants) : null;
  const path = witness?.kind === 'witness' ? witness.path : undefined;
  const job = { ...(validation?.job ?? read.job), witness: path };
  const done = await runShown(job, wish, options, io);
  const judged = validation === null ? done : { ...done, result: validation.judge(done.result) };
  const confirmed = options.witness === undefined ? judged : await confirmWitness(judged, job);
  return report(
    options.html === undefined ? confirmed : await withRanges(confirmed, read.job),
    job,
    target,
    options,
    clockMs() - startMs,
    io,
  );
}

/** For the page. */
async function withRanges(done: ShownRun, job: CheckJob): Promise<ShownRun> {
  if (done.result.kind !== 'report') return done;
  const { hoverRangesOf } = await import('../hover-ranges.ts');
  return { ...done, result: { kind: 'report', report: { ...done.result.report, ranges: hoverRangesOf(job) } } };
}

/** The witness of a proof has only what is proved once more. */
async function confirmWitness(done: ShownRun, job: CheckJob): Promise<ShownRun> {
  if (done.result.kind !== 'report' || done.result.report.outcome.kind !== 'safe') return done;
  const { confirmInvariants } = await import('../confirm-invariants.ts');
  return { ...done, result: { kind: 'report', report: await confirmInvariants(done.result.report, job) } };
}

/** The check in its place, and how its answer is read. */
async function validateInvariants(job: CheckJob, invariants: readonly WitnessInvariant[]) {
  const { prepareValidation, judgeWitness } = await import('../validate-invariants.ts');
  const validation = prepareValidation(job, invariants);
  const judge = (result: CheckRun['result']): CheckRun['result'] =>
    result.kind === 'report' ? { kind: 'report', report: judgeWitness(result.report, validation) } : result;
  return { job: validation.job, judge };
}

function readWitnessFile(file: string): ReadWitness | { readonly kind: 'unusable'; readonly message: string } {
  const input = readText(file);
  return input.kind === 'text' ? readWitness(input.text) : { kind: 'unusable', message: input.message };
}

/** What most checks do without is loaded when it is asked for. */
async function checkWithBackend(...asked: Parameters<RunBackendCheck>): Promise<ExitCode> {
  const { runBackendCheck } = await import('../run-backend-check.ts');
  return runBackendCheck(...asked);
}

async function isInstalled(solver: string): Promise<boolean> {
  const { isNativeSolverInstalled } = await import('../../host/native-solver.ts');
  return isNativeSolverInstalled(solver);
}

interface ShownRun extends CheckRun {
  readonly interruption: Interruption | null;
}

/** Runs the check; what it tells on the way goes to the terminal and to dumps. */
async function runShown(job: CheckJob, wish: ProgressWish, options: CheckCommandOptions, io: Io): Promise<ShownRun> {
  const dump = createDumpSink(options.dumpDir, job.files[0]?.fileName ?? job.name, io.out);
  const progress = showProgress(io, job.timeLimitMs, wish);
  const signals = watchSignals();
  const listener = (message: CheckMessage) => {
    progress.receive(message);
    if (message.kind === 'diagnostics') {
      progress.end();
      io.err.write(message.text);
    } else if (message.kind === 'dump') dump(message.name, message.text);
  };
  const done = await runCheck(job, { listener, signal: signals.signal, readAhead });
  signals.end();
  progress.end();
  const { result } = done;
  if (result.kind === 'report' && options.dump.includes('invariant')) dumpInvariant(result.report.outcome, dump);
  if (result.kind === 'report' && result.report.outcome.kind === 'unsafe' && options.dump.includes('trace')) {
    // Without the time, so that dumps of the same check are the same.
    dump('trace.json', printJsonReport({ ...result.report, elapsedMs: 0 }, version));
  }
  return { ...done, interruption: signals.interruption() };
}

function report(
  done: ShownRun,
  job: CheckJob,
  target: CheckTarget,
  options: CheckCommandOptions,
  elapsedMs: number,
  io: Io,
): ExitCode {
  const { result, coverage, interruption } = done;
  if (options.stats !== undefined)
    io.err.write(printStatistics(toStatistics(done.messages, elapsedMs), options.stats === 'json'));
  switch (result.kind) {
    case 'aborted': {
      const { words, code } = interruption ?? NOT_BY_SIGNAL;
      io.err.write(`lazuli: ${words}; ${coverage ? describeCoverage(coverage) : 'nothing was covered yet'}\n`);
      writeFiles(
        reportOn(endedEarly('interrupted', words, coverage), done.approximations, job, job, elapsedMs),
        options,
        io,
      );
      return code;
    }
    case 'failed':
      return reportInternal(io, result.error, result.stack);
    case 'loops':
      io.out.write(result.text);
      return exitCodes.ok;
    case 'misused':
      return reportUsage(io, 'check', result.message);
    case 'report':
      return writeReport({ ...result.report, ...aboutTarget(target), elapsedMs }, options, io);
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

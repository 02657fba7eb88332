// Several programs, or several properties of one, in one command: each is checked as if it were alone, several at a
// time. Reports come in the order of the questions, each as soon as those before it are told; then a summary.
//
// They are threads of one process, which share its memory: that is why a limit of the memory makes it one at a time.

import { availableParallelism } from 'node:os';
import { clockMs } from '../host/clock.ts';
import { readAhead } from '../host/read-ahead.ts';
import { runCheck } from '../host/run-check.ts';
import { NO_BOUNDS, type UnknownCause } from '../outcome/outcome.ts';
import type { CheckReport } from '../report/check-report.ts';
import { nameQuestion } from '../report/check-report.ts';
import { printSummary } from '../report/summary.ts';
import { endedEarly, reportOn } from '../verify/report-on.ts';
import { type JobSetup, readJob, usualJobs } from './check-job.ts';
import type { CheckTarget, Unanswerable } from './check-target.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io, TextOutput } from './io.ts';
import { nameProgram } from './program-input.ts';
import { createProgress, type ProgressWish } from './progress.ts';
import { reportInternal } from './report-internal.ts';
import { NOT_BY_SIGNAL, watchSignals } from './signals.ts';
import { exitCodeOf, showReport, writeAll } from './write-report.ts';

interface Answer {
  readonly report: CheckReport;
  readonly code: ExitCode;
  /** What is to be said on the standard error. */
  readonly said: string;
}

export async function checkMany(
  questions: readonly (CheckTarget | Unanswerable)[],
  setup: JobSetup,
  wish: ProgressWish,
  io: Io,
): Promise<ExitCode> {
  const { options } = setup;
  const startMs = clockMs();
  const signals = watchSignals();
  const progress = createProgress(io, wish);
  const answers: (Answer | undefined)[] = questions.map(() => undefined);
  const running = new Set<string>();
  let told = 0;
  const tell = () => {
    for (; answers[told] !== undefined; told++) {
      progress.clear();
      const { report, said } = answers[told] as Answer;
      io.err.write(said);
      showReport(report, options, io);
    }
    if (running.size > 0) progress.show(`${told} of ${questions.length} checked; at ${[...running].join(', ')}`);
  };
  const parallel = Math.min(questions.length, options.parallel ?? usualParallel(setup));
  const jobs = options.jobs ?? usualJobs(parallel);
  const queue = questions.entries();
  const work = async () => {
    for (const [at, question] of queue) {
      if (signals.signal.aborted) return;
      const name = nameQuestion(aboutProgram(question, setup));
      running.add(name);
      tell();
      const answer = await answerQuestion(question, jobs, setup, signals.signal, io);
      running.delete(name);
      answers[at] = answer;
      tell();
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  signals.end();
  progress.clear();
  const { words, code } = signals.interruption() ?? NOT_BY_SIGNAL;
  const all = answers.map((answer, at) => answer ?? interrupted(questions[at] as CheckTarget, words, setup));
  const reports = all.map(({ report }) => report);
  for (const { report } of all.slice(told)) showReport(report, options, io);
  if (isShownAsText(options)) io.out.write(printSummary(reports, clockMs() - startMs, io.out));
  writeAll(reports, options, io);
  return signals.interruption() === null ? worstOf(all.map((answer) => answer.code)) : code;
}

function isShownAsText({ format, json, sarif, junit }: JobSetup['options']): boolean {
  return format !== 'verdict' && ![json, sarif, junit].includes('-');
}

/** A violation is a verdict whatever else went wrong; otherwise the gravest of what prevents one. */
function worstOf(codes: readonly ExitCode[]): ExitCode {
  const { violation, internal, file, program, usage, unknown, ok } = exitCodes;
  return [violation, internal, file, usage, program, unknown].find((code) => codes.includes(code)) ?? ok;
}

function usualParallel({ options }: JobSetup): number {
  return options.memoryLimit === undefined ? availableParallelism() : 1;
}

async function answerQuestion(
  question: CheckTarget | Unanswerable,
  jobs: number,
  setup: JobSetup,
  signal: AbortSignal,
  io: Io,
): Promise<Answer> {
  const startMs = clockMs();
  let said = '';
  const err: TextOutput = { ...io.err, write: (text) => (said += text) };
  const unknown = (cause: UnknownCause, reason: string, code: ExitCode): Answer => {
    const report = reportUnknown(question, setup, cause, reason, clockMs() - startMs);
    return { report, code, said };
  };
  if (question.kind === 'unanswerable') return unknown('unsupported', question.reason, exitCodes.program);
  const read = await readJob(question, setup, { err });
  if (read.kind === 'failed') {
    const reason = said.trim().replace(/^lazuli: /, '');
    said = '';
    return unknown('program', reason, read.code);
  }
  const job = { ...read.job, jobs };
  const { result, coverage, approximations } = await runCheck(job, {
    signal,
    readAhead,
    listener: (message) => {
      if (message.kind === 'diagnostics') err.write(message.text);
    },
  });
  const elapsedMs = clockMs() - startMs;
  switch (result.kind) {
    case 'aborted': {
      const outcome = endedEarly('interrupted', 'interrupted', coverage);
      const report = { ...reportOn(outcome, approximations, job, job, elapsedMs), ...aboutTarget(question) };
      return { report, code: exitCodes.interrupted, said };
    }
    case 'report': {
      const report = { ...result.report, ...aboutTarget(question), elapsedMs };
      return { report, code: exitCodeOf(report), said };
    }
    case 'misused':
      return unknown('program', result.message, exitCodes.usage);
    case 'failed':
      reportInternal({ ...io, err }, result.error, result.stack);
      return unknown('nothing', 'an internal error of Lazuli', exitCodes.internal);
    case 'loops':
      return unknown('nothing', 'only loops were asked for', exitCodes.internal);
  }
}

function interrupted(question: CheckTarget | Unanswerable, words: string, setup: JobSetup): Answer {
  const report = reportUnknown(question, setup, 'interrupted', words, 0);
  return { report, code: exitCodes.interrupted, said: '' };
}

function reportUnknown(
  question: CheckTarget | Unanswerable,
  setup: JobSetup,
  cause: UnknownCause,
  reason: string,
  elapsedMs: number,
): CheckReport {
  const common = { engine: 'bounded', bounds: NO_BOUNDS, loc: null, attempts: [] } as const;
  return {
    ...aboutProgram(question, setup),
    outcome: { kind: 'unknown', ...common, cause, reason },
    notes: [],
    approximations: [],
    elapsedMs,
  };
}

function aboutProgram(question: CheckTarget | Unanswerable, { options }: JobSetup) {
  const { files, property } = question;
  const about = question.kind === 'target' ? aboutTarget(question) : { property: property as string };
  return { program: nameProgram(files, options), files, ...about };
}

/** What a report says of its question. */
export function aboutTarget({ property, expected }: CheckTarget): Pick<CheckReport, 'property' | 'expected'> {
  return { ...(property !== null && { property }), ...(expected !== null && { expected }) };
}

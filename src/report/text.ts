/**
 * The report of a check for people: the verdict, the violated check with its source line, the threads, and the
 * interleaving (interleaving.ts).
 */

import type { Outcome } from '../outcome/outcome.ts';
import { pushAll } from '../support/push-all.ts';
import { showTexts } from '../support/show-text.ts';
import { wrapText } from '../support/wrap-text.ts';
import type { Trace, TracePlace, TraceThread, TraceViolation, TraceWait } from '../trace/trace.ts';
import { conditionOf, exceptionOf } from './approximations.ts';
import { type CheckReport, nameQuestion } from './check-report.ts';
import { describeBounds } from './describe-bounds.ts';
import { describeLength, describeViolation } from './describe-verdict.ts';
import { printInterleaving } from './interleaving.ts';
import { createPainter, type Painter } from './painter.ts';
import { describeProtection, describeSide, describeWait, describeWarnings } from './warnings.ts';

export interface TextReportOptions {
  readonly colours: boolean;
  /** Show every step, also those in which nothing is assigned and no thread is switched. */
  readonly verbose?: boolean;
  /** The width of the terminal; absent or null when it is none, and nothing needs to be cut. */
  readonly columns?: number | null;
}

export function printTextReport(told: CheckReport, options: TextReportOptions): string {
  const report = showTexts(told);
  const paint = createPainter(options.colours);
  const { outcome } = report;
  const width = options.columns ?? Number.POSITIVE_INFINITY;
  const notes = report.notes.flatMap((note) => wrapText(note, width - 2));
  const warnings = describeWarnings(outcome).flatMap((warning) => wrapText(warning, width - 2));
  const lines = [printVerdict(report, paint), ...[...notes, ...warnings].map((note) => `  ${note}`)];
  if (outcome.kind === 'unsafe') {
    if (outcome.trace !== null) pushAll(lines, printTrace(outcome.trace, paint, options));
    else lines.push('', `There is no counterexample to show: the traces of ${outcome.engine} are not read.`);
  }
  const patch = outcome.kind === 'unsafe' ? outcome.weak?.fences?.patch : undefined;
  if (patch) pushAll(lines, ['', 'Fences that repair it:', '', ...patch]);
  return `${lines.join('\n')}\n`;
}

function printVerdict(report: CheckReport, paint: Painter): string {
  const { outcome, approximations, elapsedMs } = report;
  const how = `(${outcome.engine}, ${(elapsedMs / 1000).toFixed(1)} s)`;
  const isSafe = outcome.kind === 'safe' || outcome.kind === 'bounded';
  const exception = outcome.kind === 'unsafe' ? exceptionOf(approximations) : '';
  const condition = isSafe ? conditionOf(approximations) : exception;
  return `${nameQuestion(report)}: ${describeOutcome(outcome, paint)}${condition} ${paint('faint', how)}`;
}

function describeOutcome(outcome: Outcome, paint: Painter): string {
  switch (outcome.kind) {
    case 'unsafe': {
      const message = outcome.trace === null ? '' : `: ${describeViolation(outcome.trace.violation)}`;
      return `${paint('bad', 'unsafe')}${message}`;
    }
    case 'safe':
      return paint('good', 'safe');
    case 'bounded':
      return `${paint('good', 'safe up to bounds')}: ${describeBounds(outcome.bounds)}`;
    case 'unknown':
      return `${paint('unclear', 'unknown')}: ${outcome.reason}`;
  }
}

function printTrace(trace: Trace, paint: Painter, { verbose, columns }: TextReportOptions): string[] {
  const { threads, steps, violation } = trace;
  const nameOf = (thread: number) => threads.find(({ id }) => id === thread)?.start ?? '?';
  const broken = steps.at(-1);
  const isIdle = isIdleIn(trace);
  const { lines, hidden } = printInterleaving(steps, {
    isIdle,
    nameOf,
    paint,
    verbose: verbose ?? false,
    columns: columns ?? null,
  });
  const more = hidden === 0 ? '' : ` (--verbose shows ${hidden} more)`;
  const where = violation.place === null ? 'somewhere' : printPlace(violation.place);
  return [
    '',
    `  ${where}: in ${broken?.function ?? '?'}, thread ${violation.thread} (${nameOf(violation.thread)})`,
    `    ${paint('strong', broken?.statement ?? '')}`,
    '',
    'Threads:',
    ...printThreads(trace, isIdle),
    '',
    ...printWaits(violation.waits ?? [], nameOf),
    ...printRace(violation, nameOf),
    `Counterexample: ${describeLength(trace)}${more}`,
    '',
    ...lines,
  ];
}

/** Both sides of a data race, and what usually protects its object. */
function printRace({ race }: TraceViolation, nameOf: (thread: number) => string): string[] {
  if (!race) return [];
  const lines = race.sides.map((side) => `  ${describeSide(side, race.object, nameOf)}`);
  const usual = describeProtection(race).replace(/^; /, '  ');
  return ['Nothing orders these two:', ...lines, ...(usual === '' ? [] : [usual]), ''];
}

/** Who waits for whom. */
function printWaits(waits: readonly TraceWait[], nameOf: (thread: number) => string): string[] {
  if (waits.length === 0) return [];
  const lines = waits.map((wait) => `  ${describeWait(wait, nameOf)}`);
  return ['Who waits for whom:', ...lines, ''];
}

/** From so many threads on, those that never run are not worth a line each. */
const CROWD = 16;

function printThreads(trace: Trace, isIdle: (thread: number) => boolean): string[] {
  const lines: string[] = [];
  for (const group of groupThreads(trace.threads, isIdle)) {
    const { id, parent, start } = group[0] as TraceThread;
    const last = (group[group.length - 1] as TraceThread).id;
    const ids = last === id ? `${id}` : `${id} to ${last}`;
    const creator = parent < 0 ? '' : `, created by ${parent}`;
    lines.push(`  ${ids}: ${start}${creator}${last === id ? '' : ', do not run'}`);
  }
  return lines;
}

/** Idle threads with the same creator and routine, one after the other, are one group. */
function groupThreads(threads: readonly TraceThread[], isIdle: (thread: number) => boolean): TraceThread[][] {
  const groups: TraceThread[][] = [];
  for (const thread of threads) {
    const group = groups[groups.length - 1];
    const before = group?.[0];
    const belongs = before && isIdle(before.id) && before.parent === thread.parent && before.start === thread.start;
    if (belongs && isIdle(thread.id)) group?.push(thread);
    else groups.push([thread]);
  }
  return groups;
}

/** Whether a thread of a crowd never runs. */
function isIdleIn({ threads, steps }: Trace): (thread: number) => boolean {
  const running = new Set(steps.map(({ thread }) => thread));
  return (thread) => threads.length > CROWD && !running.has(thread);
}

function printPlace({ file, line, column }: TracePlace): string {
  return `${file}:${line}:${column}`;
}

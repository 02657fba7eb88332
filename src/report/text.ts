/**
 * The report of a check for people: the verdict, the violated check with its source line, and the interleaving, one line a
 * step. Threads are told apart by a number in the margin and by indentation; a rule marks every context switch; what a
 * step assigns stands behind its statement.
 */

import {
  type Counterexample,
  type CounterexampleStep,
  type CounterexampleViolation,
  countContextSwitches,
  type SourcePlace,
} from '../trace/counterexample.ts';
import type { CheckReport, ReportBounds, Verdict } from './check-report.ts';

export interface TextReportOptions {
  readonly colours: boolean;
}

/** Statements longer than this are cut: what they assign should stay in sight. */
const STATEMENT_WIDTH = 60;
/** Threads beyond this one are not indented further. */
const DEEPEST_THREAD = 8;
const RULE_WIDTH = 60;

export function printTextReport(report: CheckReport, options: TextReportOptions): string {
  const paint = createPainter(options.colours);
  const { verdict } = report;
  const lines = [printVerdict(report, paint)];
  if (verdict.kind === 'unsafe' && verdict.counterexample !== null) {
    lines.push(...printCounterexample(verdict.counterexample, paint));
  } else if (verdict.kind === 'unsafe') {
    lines.push('', `There is no counterexample to show: the traces of ${report.engine} are not read.`);
  }
  return `${lines.join('\n')}\n`;
}

type Colour = 'bad' | 'good' | 'unclear' | 'strong' | 'faint' | 'switch';
type Painter = (colour: Colour, text: string) => string;

const COLOURS: Readonly<Record<Colour, string>> = {
  bad: '\x1b[1;31m',
  good: '\x1b[1;32m',
  unclear: '\x1b[1;33m',
  strong: '\x1b[1m',
  faint: '\x1b[2m',
  switch: '\x1b[36m',
};

function createPainter(colours: boolean): Painter {
  return (colour, text) => (colours ? `${COLOURS[colour]}${text}\x1b[0m` : text);
}

function printVerdict({ program, verdict, bounds, engine, elapsedMs }: CheckReport, paint: Painter): string {
  const how = `(${engine}, ${(elapsedMs / 1000).toFixed(1)} s)`;
  return `${program}: ${describeVerdict(verdict, bounds, paint)} ${paint('faint', how)}`;
}

function describeVerdict(verdict: Verdict, bounds: ReportBounds, paint: Painter): string {
  switch (verdict.kind) {
    case 'unsafe': {
      const message = verdict.counterexample === null ? '' : `: ${describeViolation(verdict.counterexample.violation)}`;
      return `${paint('bad', 'unsafe')}${message}`;
    }
    case 'safe':
      return paint('good', 'safe');
    case 'safe-up-to-bounds':
      return `${paint('good', 'safe up to bounds')}: ${describeBounds(bounds)}`;
    case 'unknown':
      return `${paint('unclear', 'unknown')}: ${verdict.reason}`;
  }
}

function describeBounds({ unwind, rounds }: ReportBounds): string {
  const loops = unwind === null ? 'all iterations' : `loops up to ${count(unwind, 'iteration')}`;
  const schedule = rounds === null ? 'all interleavings' : count(rounds, 'round');
  return `${loops}, ${schedule}`;
}

function describeViolation({ check, message }: CounterexampleViolation): string {
  return message === '' || message === check ? check : `${check}: ${message}`;
}

function printCounterexample(counterexample: Counterexample, paint: Painter): string[] {
  const { threads, steps, violation } = counterexample;
  const nameOf = (thread: number) => threads.find(({ number }) => number === thread)?.start ?? '';
  const isOneFile = steps.every(({ place }) => place.file === violation.place.file);
  const rows = steps.map((step) => toRow(step, isOneFile));
  rows.push({ ...toRow({ ...violation, assignments: [] }, isOneFile), isViolation: true });
  const placeWidth = Math.max(...rows.map(({ place }) => place.length));
  const statementWidth = Math.min(STATEMENT_WIDTH, Math.max(...rows.map(widthOf)));
  const lines: string[] = [];
  let running: number | null = null;
  for (const row of rows) {
    if (row.thread !== running) lines.push(printSwitch(row.thread, nameOf(row.thread), running === null, paint));
    running = row.thread;
    lines.push(printRow(row, placeWidth, statementWidth, paint));
  }
  return [
    '',
    `  ${printPlace(violation.place)}: in ${violation.function}, thread ${violation.thread} (${nameOf(violation.thread)})`,
    `    ${paint('strong', violation.statement)}`,
    '',
    ...printThreads(counterexample),
    `Counterexample: ${count(steps.length, 'step')}, ${count(countContextSwitches(counterexample), 'context switch')}`,
    '',
    ...lines,
  ];
}

function printThreads({ threads }: Counterexample): string[] {
  const rows = threads.map(({ number, start, creator, created }) => {
    const origin = created === null ? '' : `, created by ${creator} at ${printPlace(created)}`;
    return `  ${number}: ${start}${origin}`;
  });
  return ['Threads:', ...rows, ''];
}

interface Row {
  readonly thread: number;
  readonly place: string;
  readonly statement: string;
  readonly values: string;
  readonly isViolation: boolean;
}

function toRow(
  step: Pick<CounterexampleStep, 'thread' | 'place' | 'statement' | 'assignments'>,
  isOneFile: boolean,
): Row {
  return {
    thread: step.thread,
    place: isOneFile ? String(step.place.line) : `${step.place.file}:${step.place.line}`,
    statement: cut(step.statement, STATEMENT_WIDTH),
    values: step.assignments.map(({ variable, value }) => `${variable} = ${value}`).join(', '),
    isViolation: false,
  };
}

function indentOf(row: Row): string {
  return '  '.repeat(Math.min(row.thread, DEEPEST_THREAD));
}

function widthOf(row: Row): number {
  return indentOf(row).length + row.statement.length;
}

function printRow(row: Row, placeWidth: number, statementWidth: number, paint: Painter): string {
  const margin = `${`T${row.thread}`.padEnd(4)}${row.place.padStart(placeWidth)}  `;
  const text = `${indentOf(row)}${row.statement}`;
  if (row.isViolation) return `  ${paint('faint', margin)}${paint('bad', text.padEnd(statementWidth))}  ✗ violated`;
  if (row.values === '') return `  ${paint('faint', margin)}${text}`;
  return `  ${paint('faint', margin)}${text.padEnd(statementWidth)}  ${paint('strong', row.values)}`;
}

function printSwitch(thread: number, start: string, isFirst: boolean, paint: Painter): string {
  const text = `── ${isFirst ? 'thread' : 'switch to thread'} ${thread} (${start}) `;
  return `  ${paint('switch', text.padEnd(RULE_WIDTH, '─'))}`;
}

function printPlace({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function count(amount: number, noun: string): string {
  const plural = noun.endsWith('ch') ? `${noun}es` : `${noun}s`;
  return `${amount} ${amount === 1 ? noun : plural}`;
}

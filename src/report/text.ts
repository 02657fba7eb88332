/**
 * The report of a check for people: the verdict, the violated check with its source line, and the interleaving, one line a
 * step. Threads are told apart by a number in the margin and by indentation; a rule marks every context switch; what a
 * step assigns stands behind its statement. What models do to their own variables is left out.
 */

import type {
  Trace,
  TraceEvent,
  TracePlace,
  TraceStep,
  TraceThread,
  TraceValue,
  TraceViolation,
} from '../trace/trace.ts';
import type { CheckReport, ReportBounds, Verdict } from './check-report.ts';

export interface TextReportOptions {
  readonly colours: boolean;
  /** Show every step, also those in which nothing is assigned and no thread is switched. */
  readonly verbose?: boolean;
}

/** Statements longer than this are cut: what they assign should stay in sight. */
const STATEMENT_WIDTH = 60;
/** Threads beyond this one are not indented further. */
const DEEPEST_THREAD = 8;
const RULE_WIDTH = 60;

export function printTextReport(report: CheckReport, options: TextReportOptions): string {
  const paint = createPainter(options.colours);
  const { verdict } = report;
  const lines = [printVerdict(report, paint), ...report.notes.map((note) => `  ${note}`)];
  if (verdict.kind === 'unsafe') {
    if (verdict.trace !== null) lines.push(...printTrace(verdict.trace, paint, options.verbose ?? false));
    else lines.push('', `There is no counterexample to show: the traces of ${report.engine} are not read.`);
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
      const message = verdict.trace === null ? '' : `: ${describeViolation(verdict.trace.violation)}`;
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

function describeBounds({ unwind, rounds, contextSwitches }: ReportBounds): string {
  const loops = unwind === null ? 'all iterations' : `loops up to ${count(unwind, 'iteration')}`;
  const schedule =
    contextSwitches !== undefined
      ? count(contextSwitches, 'context switch')
      : rounds === null
        ? 'all interleavings'
        : count(rounds, 'round');
  return `${loops}, ${schedule}`;
}

function describeViolation({ check, message }: TraceViolation): string {
  return message === '' || message === check ? check : `${check}: ${message}`;
}

function printTrace(trace: Trace, paint: Painter, verbose: boolean): string[] {
  const { threads, steps, violation } = trace;
  const nameOf = (thread: number) => threads.find(({ id }) => id === thread)?.start ?? '?';
  const broken = steps.at(-1);
  const where = violation.place === null ? 'somewhere' : printPlace(violation.place);
  return [
    '',
    `  ${where}: in ${broken?.function ?? '?'}, thread ${violation.thread} (${nameOf(violation.thread)})`,
    `    ${paint('strong', broken?.statement ?? '')}`,
    '',
    'Threads:',
    ...printThreads(trace),
    '',
    `Counterexample: ${count(steps.length, 'step')}, ${count(trace.contextSwitches, 'context switch')}`,
    '',
    ...printSteps(steps, isIdleIn(trace), nameOf, paint, verbose),
  ];
}

/** From so many threads on, those that never run are not worth a line each. */
const CROWD = 16;

function printThreads(trace: Trace): string[] {
  const isIdle = isIdleIn(trace);
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

function printSteps(
  steps: readonly TraceStep[],
  isIdle: (thread: number) => boolean,
  nameOf: (thread: number) => string,
  paint: Painter,
  verbose: boolean,
): string[] {
  const isOneFile = new Set(steps.flatMap(({ place }) => (place === null ? [] : [place.file]))).size <= 1;
  const all = steps.map((step) => toRow(step, isOneFile, isIdle));
  const rows = verbose ? all : foldRows(all);
  const placeWidth = Math.max(0, ...rows.map(({ place }) => place.length));
  const textWidth = Math.min(STATEMENT_WIDTH, Math.max(0, ...rows.map(({ text }) => text.length)));
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (at === 0 || row.isSwitch) lines.push(printSwitch(row.thread, nameOf(row.thread), at === 0, paint));
    const margin = paint('faint', `${`T${row.thread}`.padEnd(4)}${row.place.padStart(placeWidth)}  `);
    const effects = [row.values === '' ? '' : paint('strong', row.values), row.events].filter((text) => text !== '');
    const tail = effects.length === 0 ? '' : `  ${effects.join('  ')}`;
    const text = effects.length === 0 ? row.text : row.text.padEnd(textWidth);
    lines.push(`  ${margin}${row.isViolation ? paint('bad', text) : text}${tail}`);
  }
  return lines;
}

interface Row {
  readonly thread: number;
  readonly isSwitch: boolean;
  readonly place: string;
  readonly text: string;
  readonly values: string;
  readonly events: string;
  /** Several such rows one after the other become one. */
  readonly isDull: boolean;
  readonly isViolation: boolean;
}

/** The shortest run of uninteresting steps that is worth hiding. */
const SHORTEST_FOLD = 3;

/**
 * Steps in which nothing is assigned, read from memory or otherwise to be seen, or which only create threads that never run, several
 * in a row, become one line.
 */
function foldRows(rows: readonly Row[]): Row[] {
  const folded: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    let end = at;
    while (rows[end]?.isDull) end++;
    const row = rows[at] as Row;
    if (end - at >= SHORTEST_FOLD)
      folded.push({ ...row, place: '', text: `${indentOf(row.thread)}… ${end - at} steps`, values: '', events: '' });
    else folded.push(...rows.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return folded;
}

function indentOf(thread: number): string {
  return '  '.repeat(Math.min(thread, DEEPEST_THREAD));
}

function toRow(step: TraceStep, isOneFile: boolean, isIdle: (thread: number) => boolean): Row {
  const { thread, place, statement, values, events } = step;
  const line = place === null ? '' : isOneFile ? String(place.line) : `${place.file}:${place.line}`;
  const shown = printValues(values.filter(({ isInternal }) => !isInternal));
  const told = events.flatMap(describeEvent);
  const creations = events.filter((event) => event.kind === 'create');
  const createsIdle = creations.length === told.length && creations.every(({ child }) => isIdle(child));
  return {
    thread,
    isSwitch: step.isContextSwitch,
    place: line,
    text: cut(`${indentOf(thread)}${statement}`, STATEMENT_WIDTH),
    values: shown,
    events: told.join(', '),
    isDull: !step.isContextSwitch && createsIdle && (creations.length > 0 || shown === ''),
    isViolation: events.some(({ kind }) => kind === 'violation'),
  };
}

/** What is assigned; where nothing is, what is read. */
function printValues(values: readonly TraceValue[]): string {
  const changes = values.filter(({ kind }) => kind !== 'read');
  if (changes.length > 0) return changes.map(({ name, value }) => `${name} = ${value}`).join(', ');
  return values.map(({ name, value }) => `${name} is ${value}`).join(', ');
}

/** Calls, returns and branches show in the lines that follow. */
function describeEvent(event: TraceEvent): string[] {
  switch (event.kind) {
    case 'create':
      return [`creates thread ${event.child}`];
    case 'exit':
      return ['the thread ends'];
    case 'blocked':
      return ['waits'];
    case 'violation':
      return ['✗ violated'];
    case 'call':
    case 'return':
    case 'branch':
      return [];
  }
}

function printSwitch(thread: number, start: string, isFirst: boolean, paint: Painter): string {
  const text = `── ${isFirst ? 'thread' : 'switch to thread'} ${thread} (${start}) `;
  return `  ${paint('switch', text.padEnd(RULE_WIDTH, '─'))}`;
}

function printPlace({ file, line, column }: TracePlace): string {
  return `${file}:${line}:${column}`;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function count(amount: number, noun: string): string {
  const plural = noun.endsWith('ch') ? `${noun}es` : `${noun}s`;
  return `${amount} ${amount === 1 ? noun : plural}`;
}

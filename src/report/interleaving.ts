/**
 * The interleaving of a counterexample, one line a step. Threads are told apart by a number in the margin and by
 * indentation; a rule marks every context switch; what a step does stands behind its statement, in a column of its own.
 * A statement that does not fit before that column is not cut: what it does then stands on the next line. In a terminal
 * it is broken at the edge.
 */

import { largestOf, pushAll } from '../support/push-all.ts';
import type { TraceStep } from '../trace/trace.ts';
import { foldRows } from './fold-rows.ts';
import type { Painter } from './painter.ts';
import { indentOf, type Row, toRow } from './rows.ts';

export interface InterleavingOptions {
  /** Whether a thread is one of a crowd that never runs. */
  readonly isIdle: (thread: number) => boolean;
  readonly nameOf: (thread: number) => string;
  readonly paint: Painter;
  /** Hide nothing. */
  readonly verbose: boolean;
  /** The width of the terminal; null when it is none. */
  readonly columns: number | null;
}

export interface Interleaving {
  readonly lines: readonly string[];
  /** How many steps are not shown. */
  readonly hidden: number;
}

/** The width that is aimed at where there is no terminal. */
const PAGE_WIDTH = 120;
const NARROWEST_PAGE = 60;
/** The statements may take this part of what the margin leaves; the rest is for what they do. */
const STATEMENT_SHARE = 0.6;
const RULE_WIDTH = 60;

export function printInterleaving(steps: readonly TraceStep[], options: InterleavingOptions): Interleaving {
  const { isIdle, nameOf, paint, verbose, columns } = options;
  const isOneFile = new Set(steps.flatMap(({ place }) => (place === null ? [] : [place.file]))).size <= 1;
  const all = steps.map((step) => toRow(step, { isOneFile, isIdle }));
  const rows = verbose ? all : foldRows(all);
  const layout = layOut(rows, columns);
  const lines: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (at === 0 || row.isSwitch) lines.push(printSwitch(row.thread, nameOf(row.thread), at === 0, paint));
    if (row.gap > 0) lines.push(printGap(row, layout, paint));
    pushAll(lines, printRow(row, layout, paint));
  }
  return { lines, hidden: steps.length - rows.filter((row) => row.hidden === 0).length };
}

interface Layout {
  readonly placeWidth: number;
  readonly marginWidth: number;
  /** The statements that have something behind them. */
  readonly textWidth: number;
  readonly width: number;
  /** Whether statements must keep within the width, too. */
  readonly isWrapped: boolean;
}

const THREAD_WIDTH = 4;

function layOut(rows: readonly Row[], columns: number | null): Layout {
  const width = Math.max(NARROWEST_PAGE, columns ?? PAGE_WIDTH);
  const placeWidth = largestOf(rows.map(({ place }) => place.length));
  const marginWidth = 2 + THREAD_WIDTH + placeWidth + 2;
  const share = Math.floor((width - marginWidth) * STATEMENT_SHARE);
  const lengths = rows.filter(hasEffects).map(({ text }) => text.length);
  const fitting = lengths.filter((length) => length <= share);
  return { placeWidth, marginWidth, textWidth: largestOf(fitting), width, isWrapped: columns !== null };
}

function hasEffects({ values, events }: Row): boolean {
  return values.length + events.length > 0;
}

function printRow(row: Row, layout: Layout, paint: Painter): string[] {
  const { placeWidth, marginWidth, textWidth, width, isWrapped } = layout;
  const margin = paint('faint', `  ${`T${row.thread}`.padEnd(THREAD_WIDTH)}${row.place.padStart(placeWidth)}  `);
  const whole = row.text.length > textWidth ? withoutComment(row.text) : row.text;
  const text = isWrapped ? wrapStatement(whole, width - marginWidth) : [whole];
  const effects = hasEffects(row) ? wrapEffects(row, width - marginWidth - textWidth - 2) : [];
  // The effects begin beside the last line of the statement if they can, else below.
  const first = (text.at(-1) as string).length <= textWidth ? text.length - 1 : text.length;
  return Array.from({ length: Math.max(text.length, first + effects.length) }, (_, at) => {
    const before = at === 0 ? margin : ' '.repeat(marginWidth);
    const effect = effects[at - first];
    const statement = effect ? (text[at] ?? '').padEnd(textWidth) : (text[at] ?? '');
    const painted = row.isViolation && text[at] !== undefined ? paint('bad', statement) : statement;
    return before + painted + (effect ? `  ${paintEffects(effect, paint)}` : '');
  });
}

function printGap({ thread, gap }: Row, { placeWidth }: Layout, paint: Painter): string {
  const margin = `  ${`T${thread}`.padEnd(THREAD_WIDTH)}${' '.repeat(placeWidth)}  `;
  return paint('faint', `${margin}${indentOf(thread)}… ${gap} more instructions`);
}

/** Breaks a statement at spaces; further lines are indented. */
function wrapStatement(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(' ')) {
    const isFull = line.length + word.length > width && line.trim() !== '';
    if (isFull) lines.push(line.trimEnd());
    line = isFull ? `${indent}    ${word} ` : `${line}${word} `;
  }
  return [...lines, line.trimEnd()];
}

interface Effect {
  readonly text: string;
  readonly isValue: boolean;
}

/** Fills lines with effects; one that is too long has a line of its own. */
function wrapEffects({ values, events }: Row, width: number): Effect[][] {
  const lines: Effect[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [isValue, texts] of [[true, values] as const, [false, events] as const]) {
    for (const text of texts) {
      if (used + text.length > width) {
        lines.push([]);
        used = 0;
      }
      lines.at(-1)?.push({ text, isValue });
      used += text.length + 2;
    }
  }
  return lines;
}

/** Values are strong and set apart from events. */
function paintEffects(effects: readonly Effect[], paint: Painter): string {
  const values = effects.filter(({ isValue }) => isValue).map(({ text }) => text);
  const events = effects.filter(({ isValue }) => !isValue).map(({ text }) => text);
  const parts = [values.length === 0 ? '' : paint('strong', values.join(', ')), events.join(', ')];
  return parts.filter((part) => part !== '').join('  ');
}

function printSwitch(thread: number, start: string, isFirst: boolean, paint: Painter): string {
  const text = `── ${isFirst ? 'thread' : 'switch to thread'} ${thread} (${start}) `;
  return `  ${paint('switch', text.padEnd(RULE_WIDTH, '─'))}`;
}

/** A comment behind a long statement is the first thing to go. In a line with quotes it may be none. */
function withoutComment(text: string): string {
  return /["']/.test(text) ? text : text.replace(/(\S)\s*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/)$/, '$1');
}

/**
 * The table of ranges: one line a variable. Neighbours in an array of which everything is the same share a line, and
 * variables of the same name in one function are told apart by the line of their declaration. Where the terminal is too
 * narrow for that, what the extremes come from stands below a variable, unless it only has its initial value, and long
 * ranges are broken.
 */

import { wrapText } from '../support/wrap-text.ts';
import type { Painter } from './painter.ts';

export interface TableRow {
  /** The rows of a group follow one another. */
  readonly group: string;
  readonly name: string;
  /** The line of the declaration, if it has one. */
  readonly line: number | null;
  readonly type: string;
  readonly range: string;
  readonly bits: string;
  readonly origin: string;
  /** It needs fewer bits than it has. */
  readonly isNarrow: boolean;
}

/** The origin of what a variable holds from the start. */
export const INITIAL = 'initial value';

const HEADINGS = ['variable', 'type', 'range', 'bits', 'least, most from'] as const;

/** `columns`: the width of the terminal, or null. */
export function printRangeTable(rows: readonly TableRow[], columns: number | null, paint: Painter): string[] {
  const shown = foldElements(tellApart(rows));
  const texts = shown.map(({ name, type, range, bits, origin }) => [`  ${name}`, type, range, bits, origin]);
  const widths = HEADINGS.map((heading, i) => columnWidth(heading, texts, i));
  const isWide = columns === null || texts.every((cells) => printLine(cells, widths).length <= columns);
  const print = isWide
    ? (cells: readonly string[]) => ({ line: printLine(cells, widths), below: [] })
    : createNarrowPrinter(texts, columns);
  const heading = print(HEADINGS);
  const lines = [heading.line, ...heading.below].map((line) => paint('faint', line));
  for (const [i, { group, isNarrow }] of shown.entries()) {
    if (group !== shown[i - 1]?.group) lines.push(paint('strong', group));
    const { line, below } = print(texts[i] as readonly string[]);
    lines.push(isNarrow ? paint('narrow', line) : line);
    for (const more of below) lines.push(paint('faint', more));
  }
  return lines;
}

function printLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => pad(cell, widths[i] as number, i === 3))
    .join('  ')
    .trimEnd();
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

/** A text longer than this moves what follows in its own line, not in all others. */
const LONGEST_CELL = 48;

function columnWidth(heading: string, rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((width, row) => {
    const { length } = row[column] as string;
    return length > LONGEST_CELL ? width : Math.max(width, length);
  }, heading.length);
}

/** Ranges are not broken into pieces shorter than this, whatever the width of the terminal. */
const NARROWEST_RANGE = 16;
const ORIGIN_INDENT = '      ';

function createNarrowPrinter(rows: readonly (readonly string[])[], columns: number) {
  const [name, type, range, bits] = HEADINGS.map((heading, i) => columnWidth(heading, rows, i)) as [
    number,
    number,
    number,
    number,
  ];
  const left = columns - name - type - bits - 6;
  const widths = [name, type, Math.max(NARROWEST_RANGE, Math.min(left, range)), bits];
  return (cells: readonly string[]) => {
    const [variable, declared, values, needed, origin] = cells as readonly [string, string, string, string, string];
    const [first = '', ...rest] = wrapText(values, widths[2] as number);
    return {
      line: printLine([variable, declared, first, needed], widths),
      below: [
        ...rest.map((more) => printLine(['', '', more, ''], widths)),
        ...(origin === '' || origin === INITIAL ? [] : [`${ORIGIN_INDENT}${origin}`]),
      ],
    };
  };
}

/** Variables of a function that have the same name, and the parts of such variables, are named with their lines. */
function tellApart(rows: readonly TableRow[]): readonly TableRow[] {
  const lines = new Map<string, Set<number | null>>();
  for (const { group, name, line } of rows) {
    const key = `${group} ${name}`;
    lines.set(key, (lines.get(key) ?? new Set()).add(line));
  }
  return rows.map((row) => {
    const isAmbiguous = (lines.get(`${row.group} ${row.name}`)?.size ?? 0) > 1;
    return isAmbiguous && row.line !== null ? { ...row, name: `${row.name} (line ${row.line})` } : row;
  });
}

/** `a[2]`, `a[3]`, `a[4]` with the same cells become `a[2..4]`. */
function foldElements(rows: readonly TableRow[]): readonly TableRow[] {
  const folded: TableRow[] = [];
  let open: { readonly array: string; readonly first: number; next: number } | null = null;
  for (const row of rows) {
    const [, array = '', index = ''] = /^(.*)\[(\d+)\]$/.exec(row.name) ?? [];
    const before = folded.at(-1);
    const isNext =
      open !== null && array === open.array && Number(index) === open.next && before && isAlike(before, row);
    if (isNext && open && before) {
      folded[folded.length - 1] = { ...before, name: `${array}[${open.first}..${open.next}]` };
      open.next++;
    } else {
      folded.push(row);
      open = index === '' ? null : { array, first: Number(index), next: Number(index) + 1 };
    }
  }
  return folded;
}

function isAlike(a: TableRow, b: TableRow): boolean {
  return a.group === b.group && a.type === b.type && a.range === b.range && a.bits === b.bits && a.origin === b.origin;
}

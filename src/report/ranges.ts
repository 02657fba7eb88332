/**
 * The ranges of variables for people and for programs: one line a variable, by function, with the bits that its values
 * need, and where the least and the greatest of them come from. Neighbours in an array of which all this is the same
 * share a line. At the end it shows the lines that it named and says of which executions the ranges speak.
 */

import { describeRange, spellBits } from '../analysis/describe-range.ts';
import type { Origin } from '../analysis/object-values.ts';
import { type Extreme, isKnownFloat } from '../analysis/range-extremes.ts';
import type { ValueAnalysis, VariableRange } from '../analysis/variable-ranges.ts';
import type { ScalarType } from '../program/code.ts';
import { printType } from '../program/print-type.ts';
import { groupDigits } from '../support/group-digits.ts';
import type { Loc, SourceMap } from '../support/source.ts';
import { createPainter } from './painter.ts';
import { describeScope, scopeOf } from './range-scope.ts';

export interface RangesReportOptions {
  readonly colours: boolean;
  /** How far loops and recursion were followed, as `2 times`. */
  readonly unwinding: string;
  /** Also what the models keep for themselves. */
  readonly all: boolean;
}

export interface RangeTotals {
  readonly variables: number;
  readonly declaredBits: number;
  readonly neededBits: number;
}

export function visibleRanges(analysis: ValueAnalysis, all: boolean): readonly VariableRange[] {
  return analysis.ranges.filter(({ isInternal }) => all || !isInternal);
}

export function totalsOf(ranges: readonly VariableRange[]): RangeTotals {
  let [variables, declaredBits, neededBits] = [0, 0, 0];
  for (const range of ranges) {
    variables += range.count;
    declaredBits += range.count * range.declaredBits;
    neededBits += range.count * range.neededBits;
  }
  return { variables, declaredBits, neededBits };
}

// ---------------------------------------------------------------- text

const HEADINGS = ['variable', 'type', 'range', 'bits', 'least, most from'] as const;

export function printRanges(analysis: ValueAnalysis, options: RangesReportOptions): string {
  const paint = createPainter(options.colours);
  const ranges = visibleRanges(analysis, options.all);
  const { sources } = analysis.execution.code;
  const mainFile = mainFileOf(ranges, sources);
  const rows = foldElements(
    ranges.map((range) => ({
      range,
      name: range.name,
      cells: [
        typeText(range),
        describeRange(range, analysis),
        `${range.neededBits} of ${range.declaredBits}`,
        originText(range, { sources, mainFile }),
      ],
    })),
  );
  const texts = rows.map(({ name, cells }) => [`  ${name}`, ...cells]);
  const widths = HEADINGS.map((heading, i) => columnWidth(heading, texts, i));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => pad(cell, widths[i] as number, i === 3))
      .join('  ')
      .trimEnd();
  const lines = [paint('faint', line(HEADINGS))];
  let group = '';
  for (const [i, { range }] of rows.entries()) {
    const heading = groupOf(range);
    if (heading !== group) lines.push(paint('strong', heading));
    group = heading;
    const text = line(texts[i] as readonly string[]);
    lines.push(range.neededBits < range.declaredBits ? paint('narrow', text) : text);
  }
  const scope = describeScope(scopeOf(analysis), options.unwinding);
  const named = namedLines(ranges, { sources, mainFile });
  return `${[...lines, '', ...named, printTotals(totalsOf(ranges)), ...scope].join('\n')}\n`;
}

/** A text longer than this moves what follows in its own line, not in all others. */
const LONGEST_CELL = 48;

function columnWidth(heading: string, rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((width, row) => {
    const { length } = row[column] as string;
    return length > LONGEST_CELL ? width : Math.max(width, length);
  }, heading.length);
}

interface Row {
  readonly range: VariableRange;
  readonly name: string;
  readonly cells: readonly string[];
}

/** `a[2]`, `a[3]`, `a[4]` with the same cells become `a[2..4]`. */
function foldElements(rows: readonly Row[]): readonly Row[] {
  const folded: Row[] = [];
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

function isAlike(a: Row, b: Row): boolean {
  return groupOf(a.range) === groupOf(b.range) && a.cells.every((cell, i) => cell === b.cells[i]);
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

function groupOf({ kind, function: owner }: VariableRange): string {
  if (kind === 'global') return 'globals';
  return kind === 'allocation' ? 'allocations' : `${owner}()`;
}

function printTotals({ variables, declaredBits, neededBits }: RangeTotals): string {
  const what = variables === 1 ? 'variable' : 'variables';
  return `${groupDigits(variables)} ${what}: ${groupDigits(declaredBits)} bits declared, ${groupDigits(neededBits)} needed`;
}

function typeText({ type, storage }: VariableRange): string {
  if (type === null) return '';
  if (!('qualifiers' in type)) return scalarText(type);
  const bits = storage.kind === 'object' ? storage.place.bits : null;
  return bits === null ? printType(type) : `${printType(type)} : ${bits.width}`;
}

/** What was stored in memory that has no declared type. */
function scalarText(type: ScalarType): string {
  if (type.kind === 'float') return type.bits === 32 ? 'float' : type.bits === 64 ? 'double' : 'long double';
  if (type.pointer) return 'pointer';
  const name = ({ 8: 'char', 16: 'short', 32: 'int', 64: 'long long', 128: '__int128' } as const)[type.bits];
  return type.signed ? name : `unsigned ${name}`;
}

interface Places {
  readonly sources: SourceMap;
  readonly mainFile: string | null;
}

function originText({ least, most }: VariableRange, places: Places): string {
  if (!least || !most) return '';
  const [low, high] = [describeOrigin(least, places), describeOrigin(most, places)];
  return low === high ? low : `${low}, ${high}`;
}

function describeOrigin({ origin }: Extreme, places: Places): string {
  switch (origin.kind) {
    case 'initial':
      return 'initial value';
    case 'uninitialised':
      return `uninitialised, read at ${placeText(origin.loc, places)}`;
    case 'assigned':
      return placeText(origin.loc, places);
  }
}

/** The line, with the file where it is another one than the program's. */
function placeText(loc: Loc, { sources, mainFile }: Places): string {
  const place = sources.place(loc);
  if (!place) return 'the start of the program';
  return place.file === mainFile ? `line ${place.line}` : `${place.file}:${place.line}`;
}

/** The text of the lines from which extremes come, so that nobody has to look them up; an empty line follows. */
function namedLines(ranges: readonly VariableRange[], { sources, mainFile }: Places): string[] {
  const texts = new Map<number, string>();
  for (const { least, most } of ranges) {
    for (const extreme of [least, most]) {
      const loc = extreme && locOf(extreme.origin);
      const place = loc === null ? null : sources.place(loc);
      if (place?.file === mainFile && place) texts.set(place.line, place.lineText.trim());
    }
  }
  const inOrder = [...texts].sort(([a], [b]) => a - b);
  const width = String(inOrder.at(-1)?.[0] ?? '').length;
  return inOrder.length === 0
    ? []
    : [...inOrder.map(([line, text]) => `  ${String(line).padStart(width)}  ${shorten(text)}`), ''];
}

const LONGEST_LINE = 96;

function shorten(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE - 1)}…`;
}

/** The file in which the user's variables are declared. */
function mainFileOf(ranges: readonly VariableRange[], sources: SourceMap): string | null {
  const own = ranges.find(({ isInternal, loc }) => !isInternal && sources.place(loc) !== null);
  return own ? (sources.place(own.loc)?.file ?? null) : null;
}

// ---------------------------------------------------------------- JSON

/** Numbers are texts: they may have 128 bits. */
export function rangesToJson(analysis: ValueAnalysis, all: boolean, unwinding: string): unknown {
  const { cuts, limits } = scopeOf(analysis);
  const ranges = visibleRanges(analysis, all);
  const { sources } = analysis.execution.code;
  return {
    format: 'lazuli-ranges',
    version: 1,
    variables: ranges.map((range) => ({
      kind: range.kind,
      function: range.function,
      name: range.name,
      type: typeText(range),
      signed: range.signed,
      declared: placeToJson(range.loc, sources),
      range: describeRange(range, analysis),
      least: extremeToJson(range.least, range, sources),
      most: extremeToJson(range.most, range, sources),
      parts: range.set.parts.map(({ low, high, step }) => ({ low: `${low}`, high: `${high}`, step: `${step}` })),
      declaredBits: range.declaredBits,
      neededBits: range.neededBits,
      count: range.count,
      internal: range.isInternal,
    })),
    totals: totalsOf(ranges),
    scope: {
      interleavings: 'all',
      unwinding,
      isComplete: cuts.length === 0 && limits.length === 0,
      cuts: cuts.map(({ where, place }) => ({
        where,
        place: place && { file: place.file, line: place.line, column: place.column },
      })),
      limits,
    },
  };
}

function extremeToJson(extreme: Extreme | null, { isFloat, set }: VariableRange, sources: SourceMap): unknown {
  if (!extreme) return null;
  const { origin } = extreme;
  const value = isFloat && isKnownFloat(set.width) ? spellBits(extreme.value, set.width) : `${extreme.value}`;
  const loc = locOf(origin);
  const text = loc === null ? null : (sources.place(loc)?.lineText.trim() ?? null);
  return { value, from: origin.kind, place: placeToJson(loc, sources), text };
}

function locOf(origin: Origin): Loc | null {
  return origin.kind === 'initial' ? null : origin.loc;
}

function placeToJson(loc: Loc | null, sources: SourceMap): unknown {
  const place = loc === null ? null : sources.place(loc);
  return place && { file: place.file, line: place.line, column: place.column };
}

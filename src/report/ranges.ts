/**
 * The ranges of variables for people and for programs: one line a variable, by function, with the bits that its values
 * need, and where the least and the greatest of them come from (range-table.ts lays them out). At the end it shows the
 * lines that it named and says of which executions the ranges speak.
 */

import type { ScalarType } from '../program/code.ts';
import { printType } from '../program/print-type.ts';
import { describeRange, spellBits } from '../ranges/describe-range.ts';
import type { VariableRange } from '../ranges/make-range.ts';
import { nameAllocations } from '../ranges/name-allocations.ts';
import type { Origin } from '../ranges/object-values.ts';
import { type Extreme, isKnownFloat } from '../ranges/range-extremes.ts';
import type { RangeAnalysis } from '../ranges/variable-ranges.ts';
import { groupDigits } from '../support/group-digits.ts';
import type { Loc, SourceMap } from '../support/source.ts';
import { wrapText } from '../support/wrap-text.ts';
import { createPainter } from './painter.ts';
import { describeScope, scopeOf } from './range-scope.ts';
import { INITIAL, printRangeTable } from './range-table.ts';

export interface RangesReportOptions {
  readonly colours: boolean;
  /** The width of the terminal; null when it is none. */
  readonly columns: number | null;
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

export function visibleRanges(analysis: RangeAnalysis, all: boolean): readonly VariableRange[] {
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

export function printRanges(found: RangeAnalysis, options: RangesReportOptions): string {
  const { colours, columns, all, unwinding } = options;
  const paint = createPainter(colours);
  const analysis = nameAllocations(found);
  const ranges = visibleRanges(analysis, all);
  const { sources } = analysis.execution.code;
  const places = { sources, mainFile: mainFileOf(ranges, sources) };
  const rows = ranges.map((range) => ({
    group: groupOf(range),
    name: range.name,
    line: range.kind === 'allocation' ? null : (sources.place(range.loc)?.line ?? null),
    type: typeText(range),
    range: describeRange(range, analysis),
    bits: `${range.neededBits} of ${range.declaredBits}`,
    origin: originText(range, places),
    isNarrow: range.neededBits < range.declaredBits,
  }));
  const scope = describeScope(scopeOf(analysis), unwinding);
  return `${[
    ...printRangeTable(rows, columns, paint),
    '',
    ...namedLines(ranges, places, columns ?? WIDEST_PAGE),
    printTotals(totalsOf(ranges)),
    ...scope.flatMap((line) => (columns === null ? [line] : wrapText(line, columns))),
  ].join('\n')}\n`;
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
  const bits = 'part' in storage ? storage.part.bits : null;
  return bits === null ? printType(type) : `${printType(type)} : ${bits.width}`;
}

/** What was stored in memory that has no declared type. */
function scalarText(type: ScalarType): string {
  if (type.kind === 'float') return type.bits === 32 ? 'float' : type.bits === 64 ? 'double' : 'long double';
  if (type.pointer) return 'pointer';
  const name = ({ 8: 'char', 16: 'short', 32: 'int', 64: 'long long', 128: '__int128' } as const)[type.bits];
  return type.signed ? name : `unsigned ${name}`;
}

interface SourceView {
  readonly sources: SourceMap;
  readonly mainFile: string | null;
}

function originText({ least, most }: VariableRange, places: SourceView): string {
  if (!least || !most) return '';
  const [low, high] = [describeOrigin(least, places), describeOrigin(most, places)];
  return low === high ? low : `${low}, ${high}`;
}

function describeOrigin({ origin }: Extreme, places: SourceView): string {
  switch (origin.kind) {
    case 'initial':
      return INITIAL;
    case 'uninitialised':
      return `uninitialised, read at ${placeText(origin.loc, places)}`;
    case 'assigned':
      return placeText(origin.loc, places);
  }
}

/** The line, with the file where it is another one than the program's. */
function placeText(loc: Loc, { sources, mainFile }: SourceView): string {
  const place = sources.place(loc);
  if (!place) return 'the start of the program';
  return place.file === mainFile ? `line ${place.line}` : `${place.file}:${place.line}`;
}

/** The text of the lines from which extremes come, so that nobody has to look them up; an empty line follows. */
function namedLines(ranges: readonly VariableRange[], { sources, mainFile }: SourceView, columns: number): string[] {
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
  const room = columns - width - 4;
  return inOrder.length === 0
    ? []
    : [...inOrder.map(([line, text]) => `  ${String(line).padStart(width)}  ${shorten(text, room)}`), ''];
}

/** Of the lines that are shown, where there is no terminal. */
const WIDEST_PAGE = 100;

function shorten(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** The file in which the user's variables are declared. */
function mainFileOf(ranges: readonly VariableRange[], sources: SourceMap): string | null {
  const own = ranges.find(({ isInternal, loc }) => !isInternal && sources.place(loc) !== null);
  return own ? (sources.place(own.loc)?.file ?? null) : null;
}

// ---------------------------------------------------------------- JSON

/** Numbers are texts: they may have 128 bits. */
export function rangesToJson(found: RangeAnalysis, all: boolean, unwinding: string): unknown {
  const analysis = nameAllocations(found);
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

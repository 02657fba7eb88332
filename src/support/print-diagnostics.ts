/**
 * Diagnostics as people read them, in the manner of gcc and clang: the inclusions that led there,
 * `file:line:column: severity: message [code]`, the source line with a caret below, the macros that the place came
 * through, the notes. And as JSON.
 *
 * Carets stay under their character: tabs are kept as tabs in the caret's line, wide characters (CJK, emoji) count two
 * columns, combining ones none, control characters are shown as one replacement. Long lines are cut around the caret.
 */

import type { Diagnostic, Severity } from './diagnostics.ts';
import { pushAll } from './push-all.ts';
import { showText } from './show-text.ts';
import { isModelPlace, type Loc, NOWHERE, type Place, type SourceMap } from './source.ts';

export interface DiagnosticStyle {
  /** Use the escape sequences of terminals. */
  readonly colour: boolean;
}

/** Of a source line, so many characters are shown. */
const SHOWN_WIDTH = 120;
/** Of a stack of inclusions or macros, so many entries are shown. */
const SHOWN_STACK = 8;

const COLOURS = {
  error: '\u001b[1;31m',
  warning: '\u001b[1;35m',
  note: '\u001b[1;36m',
  bold: '\u001b[1m',
  caret: '\u001b[1;32m',
};
const RESET = '\u001b[0m';

/** All diagnostics, each ending with a line end; the empty string for none. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: SourceMap,
  options: DiagnosticStyle,
): string {
  const lines: string[] = [];
  let shownInclusion = NOWHERE;
  for (const diagnostic of diagnostics) {
    const [innermost = NOWHERE] = sources.includeStack(diagnostic.loc);
    if (innermost !== shownInclusion) pushAll(lines, printIncludeStack(diagnostic.loc, sources));
    shownInclusion = innermost;
    const { severity, message, code } = diagnostic;
    pushAll(lines, printOne(severity, `${message} [${code}]`, diagnostic.loc, sources, options));
    pushAll(lines, printMacroStack(diagnostic.loc, sources, options));
    for (const note of diagnostic.notes) pushAll(lines, printOne('note', note.message, note.loc, sources, options));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function printIncludeStack(loc: Loc, sources: SourceMap): string[] {
  return shorten(sources.includeStack(loc)).map((inclusion, at, all) => {
    const lead = at === 0 ? 'In file included from' : '                 from';
    const place = inclusion === null ? null : sources.place(inclusion);
    return `${lead} ${place ? `${showText(place.file)}:${place.line}` : '…'}${at === all.length - 1 ? ':' : ','}`;
  });
}

/**
 * From the outermost macro inwards: where its definition (or an argument) spells what led to the place. The diagnostic
 * itself already shows where the outermost one is used.
 */
function printMacroStack(loc: Loc, sources: SourceMap, options: DiagnosticStyle): string[] {
  const uses = sources.macroStack(loc);
  const spelled = uses.map(({ name }, at) => ({ name, at: at === 0 ? loc : (uses[at - 1]?.usedAt ?? NOWHERE) }));
  const lines: string[] = [];
  let shown = sources.expansionOf(loc);
  for (const entry of shorten(spelled.reverse())) {
    const place = entry ? sources.spellingOf(entry.at) : NOWHERE;
    if (!entry) lines.push(`  … ${spelled.length - SHOWN_STACK} more macros`);
    else if (place !== shown && !isModelPlace(sources, place)) {
      pushAll(lines, printOne('note', `in expansion of macro '${entry.name}'`, place, sources, options));
    }
    shown = place;
  }
  return lines;
}

/** A long list with its middle replaced by null. */
function shorten<T>(list: readonly T[]): (T | null)[] {
  if (list.length <= SHOWN_STACK) return [...list];
  return [...list.slice(0, SHOWN_STACK / 2), null, ...list.slice(-SHOWN_STACK / 2)];
}

function printOne(
  severity: Severity,
  message: string,
  loc: Loc,
  sources: SourceMap,
  options: DiagnosticStyle,
): string[] {
  const place = sources.place(loc);
  const paint = (colour: keyof typeof COLOURS, text: string) =>
    options.colour ? `${COLOURS[colour]}${text}${RESET}` : text;
  const head = `${paint(severity, `${severity}:`)} ${paint('bold', showText(message))}`;
  if (!place) return [`lazuli: ${head}`];
  const where = paint('bold', `${showText(place.file)}:${place.line}:${place.column}:`);
  const { text, caret } = excerpt(place);
  return [`${where} ${head}`, text, caret.slice(0, -1) + paint('caret', '^')];
}

/** The part of the source line around the place, and the line with the caret under it. */
function excerpt(place: Place): { text: string; caret: string } {
  const full = place.lineText;
  const at = Math.min(place.column - 1, full.length);
  let start = 0;
  let end = full.length;
  if (full.length > SHOWN_WIDTH) {
    start = Math.max(0, Math.min(at - SHOWN_WIDTH / 2, full.length - SHOWN_WIDTH));
    end = start + SHOWN_WIDTH;
  }
  const lead = start > 0 ? '…' : '';
  const tail = end < full.length ? '…' : '';
  const text = lead + showText(full.slice(start, end)).replace(/[\ud800-\udfff]/gu, '\ufffd') + tail;
  const before = lead + full.slice(start, at);
  return { text: ` ${text}`, caret: ` ${Array.from(before, blank).join('')}^` };
}

/** White space as wide as a character on a terminal. */
function blank(character: string): string {
  if (character === '\t') return '\t';
  const point = character.codePointAt(0) as number;
  if (point < 0x300) return ' ';
  if (/\p{Mark}/u.test(character) || (point >= 0x200b && point <= 0x200d)) return '';
  return isWide(point) ? '  ' : ' ';
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function isWide(point: number): boolean {
  return WIDE.some(([low, high]) => point >= low && point <= high);
}

/** A place in JSON: as the user knows it, after `#line`. */
export interface JsonPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * A diagnostic in JSON. The shape is stable: fields are added, never renamed or dropped. `place` is null when the
 * diagnostic is about no place; `includedFrom` and `macros` go from the innermost outwards.
 */
export interface JsonDiagnostic {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly place: JsonPlace | null;
  readonly includedFrom: readonly JsonPlace[];
  readonly macros: readonly { readonly name: string; readonly usedAt: JsonPlace | null }[];
  readonly notes: readonly { readonly message: string; readonly place: JsonPlace | null }[];
}

export function diagnosticsToJson(diagnostics: readonly Diagnostic[], sources: SourceMap): JsonDiagnostic[] {
  const place = (loc: Loc): JsonPlace | null => {
    const at = sources.place(loc);
    return at && { file: at.file, line: at.line, column: at.column };
  };
  return diagnostics.map(({ severity, code, message, loc, notes }) => ({
    severity,
    code,
    message,
    place: place(loc),
    includedFrom: sources.includeStack(loc).flatMap((inclusion) => place(inclusion) ?? []),
    macros: sources.macroStack(loc).map(({ name, usedAt }) => ({ name, usedAt: place(sources.spellingOf(usedAt)) })),
    notes: notes.map((note) => ({ message: note.message, place: place(note.loc) })),
  }));
}

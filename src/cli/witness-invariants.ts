// Correctness witnesses, of ours or of others, are checked by asserting their invariants: each becomes an assertion in
// the text of the program, at the statement before which it should hold, or at the condition of its loop. What the
// engines then say of the program they say of the witness: a proof of all assertions, an execution that breaks one, or
// bounds up to which they hold.
//
// An assertion reads all its variables in one step, since an invariant speaks of one state. It is a macro before the
// statement, so that lines stay what they are. Left out, and said: contracts of functions, invariants of do loops, and
// what is no expression of C at its place.

import type { SourceText } from '../frontend/front-end.ts';
import { maskCText } from '../support/mask-c-text.ts';

export interface WitnessInvariant {
  readonly kind: 'location' | 'loop';
  /** Without folders; null: the first file. */
  readonly file: string | null;
  readonly line: number;
  /** From 1; null where the witness does not say. */
  readonly column: number | null;
  /** In C. */
  readonly condition: string;
}

export interface PlacedInvariants {
  readonly files: readonly SourceText[];
  /** Those that have no place in the program. */
  readonly unplaced: readonly WitnessInvariant[];
}

const MACRO = '__lazuli_witness_';
/** Before the condition in the message of a violation. */
export const MESSAGE = 'invariant of the witness: ';

/** The program with the invariants as assertions. */
export function placeInvariants(
  files: readonly SourceText[],
  invariants: readonly WitnessInvariant[],
): PlacedInvariants {
  const unplaced: WitnessInvariant[] = [];
  const insertions = files.map((): Insertion[] => []);
  const codes = files.map(({ text }) => maskCText(text));
  for (const [number, invariant] of invariants.entries()) {
    const at = invariant.file === null ? 0 : files.findIndex(({ fileName }) => lastName(fileName) === invariant.file);
    const code = codes[at];
    const found = code === undefined ? null : findPlace(code, invariant);
    if (found === null) unplaced.push(invariant);
    else insertions[at]?.push({ ...found, number, condition: invariant.condition });
  }
  return { files: files.map((file, at) => insertAll(file, insertions[at] ?? [])), unplaced };
}

/** Takes the macros out of a line of the program again. */
export function withoutMacros(line: string): string {
  return line.replace(new RegExp(`${MACRO}\\d+[;,]? `, 'g'), '');
}

function lastName(file: string): string {
  return file.split('/').at(-1) ?? file;
}

interface Place {
  readonly offset: number;
  /** As an item of a block, before a statement in any place, or before the condition of a loop. */
  readonly form: 'item' | 'statement' | 'condition' | 'empty-condition';
}

interface Insertion extends Place {
  readonly number: number;
  readonly condition: string;
}

function insertAll(file: SourceText, insertions: readonly Insertion[]): SourceText {
  let { text } = file;
  const defines: string[] = [];
  for (const insertion of [...insertions].sort((a, b) => b.offset - a.offset)) {
    const { offset, form, number, condition } = insertion;
    const name = `${MACRO}${number}`;
    const spelled = {
      item: `${name}; `,
      statement: `${name} `,
      condition: `${name}, `,
      'empty-condition': `${name}, 1`,
    };
    text = `${text.slice(0, offset)}${spelled[form]}${text.slice(offset)}`;
    const message = JSON.stringify(`${MESSAGE}${condition}`);
    const check = `(__CPROVER_atomic_begin(), __CPROVER_assert((${condition}) != 0, ${message}), __CPROVER_atomic_end())`;
    defines.push(`${name}=${form === 'statement' ? `if (${check}, 0) ; else` : check}`);
  }
  return { ...file, text, defines: [...(file.defines ?? []), ...defines] };
}

function findPlace(code: string, { kind, line, column }: WitnessInvariant): Place | null {
  const start = offsetOfLine(code, line);
  if (start === null) return null;
  const end = code.indexOf('\n', start) < 0 ? code.length : code.indexOf('\n', start);
  const from = column === null ? start : start + column - 1;
  if (from >= end) return null;
  return kind === 'loop' ? findLoop(code, from, end, column !== null) : findStatement(code, from, end, column !== null);
}

/** Behind the parenthesis of a `while`, or the first semicolon of a `for`. */
function findLoop(code: string, from: number, end: number, isExact: boolean): Place | null {
  const keyword = /\b(while|for)\s*\(/g;
  keyword.lastIndex = from;
  const match = keyword.exec(code);
  if (!match || match.index >= end || (isExact && match.index !== from)) return null;
  const inner = match.index + match[0].length;
  if (match[1] === 'while') return { offset: inner, form: 'condition' };
  let depth = 0;
  for (let at = inner; at < code.length; at++) {
    const char = code[at] as string;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth < 0) return null;
    if (char !== ';' || depth > 0) continue;
    const isEmpty = /^\s*;/.test(code.slice(at + 1));
    return { offset: at + 1, form: isEmpty ? 'empty-condition' : 'condition' };
  }
  return null;
}

/** Where a statement or a declaration begins: the given place, or the first of the line. */
function findStatement(code: string, from: number, end: number, isExact: boolean): Place | null {
  for (let at = from; at < end; at++) {
    if (/[\s{}]/.test(code[at] as string)) {
      if (isExact) return null;
      continue;
    }
    const before = code.slice(0, at).trimEnd();
    if (/[;{}]$/.test(before)) return { offset: at, form: 'item' };
    const isNested = /(?:\)|\belse|\bdo|[\w)]\s*:)$/.test(before);
    const isFirst = code.slice(0, at).endsWith('\n') || /\n[ \t]*$/.test(code.slice(0, at));
    if (isNested && (isExact || isFirst)) return { offset: at, form: 'statement' };
    if (isExact) return null;
  }
  return null;
}

function offsetOfLine(text: string, line: number): number | null {
  let offset = 0;
  for (let at = 1; at < line; at++) {
    offset = text.indexOf('\n', offset) + 1;
    if (offset === 0) return null;
  }
  return offset;
}

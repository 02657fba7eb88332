/**
 * Fences as a patch of the source. Behind a statement that has its line for itself the fence gets a line of its own;
 * where other text follows, or where the statement may be the only one of an `if` or a loop, it is joined to the
 * statement by a comma, which needs no braces.
 */

import type { Loc, SourceFile, SourceMap } from '../../support/source.ts';

const FENCE = '__sync_synchronize()';
/** Statements in which another one may stand without braces. */
const WORDS = /^\s*(if|else|for|while|do|case|default)\b/;
/** Lines around a change. */
const CONTEXT = 3;

/** The lines of a unified diff; none when no place is in the text of a file. */
export function printFencePatch(sources: SourceMap, places: readonly Loc[]): string[] {
  const byFile = new Map<SourceFile, number[]>();
  for (const loc of places) {
    const file = sources.fileOf(loc);
    if (file) byFile.set(file, [...(byFile.get(file) ?? []), sources.offsetOf(loc)]);
  }
  return [...byFile].flatMap(([file, offsets]) => printFile(file, offsets).trimEnd().split('\n'));
}

/** A line as it is and as it becomes. */
interface Change {
  readonly line: number;
  readonly after: readonly string[];
}

function printFile({ name, text }: SourceFile, offsets: readonly number[]): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const ends = [...new Set(offsets.map((offset) => endOfStatement(text, offset)))].sort((a, b) => a - b);
  const changes = new Map<number, Change>();
  // From the last to the first, so that places in one line stay where they are.
  for (const end of ends.reverse()) {
    const line = text.slice(0, end).split('\n').length - 1;
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const before = changes.get(line)?.after ?? [lines[line] ?? ''];
    changes.set(line, { line, after: insert(before, end - start, lines[line - 1] ?? '') });
  }
  const sorted = [...changes.values()].sort((a, b) => a.line - b.line);
  return `--- ${name}\n+++ ${name}\n${printHunks(lines, sorted)}`;
}

/** Where the semicolon stands that ends the statement, or the text ends. */
function endOfStatement(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; at < text.length; at++) {
    const character = text[at];
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === ';' && depth <= 0) return at;
  }
  return text.length;
}

/** Puts a fence before the semicolon at the column of the first line, or on a line behind it. */
function insert(lines: readonly string[], column: number, lineBefore: string): string[] {
  const [first = '', ...others] = lines;
  const rest = first.slice(column + 1).replace(/\/\/.*|\/\*.*?\*\//g, '');
  const head = first.slice(0, column);
  const isWhole = !/[;{}]|:\s/.test(head) && !WORDS.test(head);
  const isAlone = isWhole && rest.trim() === '' && others.length === 0;
  const isBody = /(\)|\belse|\bdo|:)\s*$/.test(lineBefore);
  if (isAlone && !isBody && /^\s*\S/.test(head)) return [first, `${/^\s*/.exec(first)?.[0] ?? ''}${FENCE};`];
  return [`${head}, ${FENCE}${first.slice(column)}`, ...others];
}

function printHunks(lines: readonly string[], changes: readonly Change[]): string {
  let text = '';
  let added = 0;
  for (let at = 0; at < changes.length; ) {
    let end = at + 1;
    while (end < changes.length && lineOf(changes, end) - lineOf(changes, end - 1) <= 2 * CONTEXT) end++;
    const group = changes.slice(at, end);
    const from = Math.max(0, lineOf(group, 0) - CONTEXT);
    const to = Math.min(lines.length, lineOf(group, group.length - 1) + CONTEXT + 1);
    const more = group.reduce((sum, { after }) => sum + after.length - 1, 0);
    text += `@@ -${from + 1},${to - from} +${from + 1 + added},${to - from + more} @@\n`;
    for (let line = from; line < to; line++)
      text += printLine(
        lines[line] ?? '',
        group.find((one) => one.line === line),
      );
    added += more;
    at = end;
  }
  return text;
}

function lineOf(changes: readonly Change[], at: number): number {
  return changes[at]?.line ?? 0;
}

function printLine(line: string, change: Change | undefined): string {
  if (!change) return ` ${line}\n`;
  const isKept = change.after[0] === line;
  const added = (isKept ? change.after.slice(1) : change.after).map((text) => `+${text}\n`).join('');
  return `${isKept ? ' ' : '-'}${line}\n${added}`;
}

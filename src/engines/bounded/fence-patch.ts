/**
 * Fences as a patch of the source. Behind a statement that has its line for itself the fence gets a line of its own;
 * where other text follows, or where the statement may be the only one of an `if` or a loop, it is joined to the
 * statement by a comma, which needs no braces. Where the value of a store is used further on (in a condition, in an
 * operand, by `return`), the store becomes a statement expression with the fence behind it.
 *
 * All of that goes by the text: a place in the source is where a store begins, and nothing else is known of it here.
 */

import type { Loc, SourceFile, SourceMap } from '../../support/source.ts';

const FENCE = '__sync_synchronize()';
/** Statements in which another one may stand without braces. */
const CONTROL = /^\s*(?:\w+\s*:\s*)*(?:if|else|for|while|do|switch)\b/;
/** What declares something begins with a type and a name. */
const DECLARATION = /^\s*(?:[A-Za-z_]\w*[\s*]+)+[A-Za-z_]\w*\s*[[=,](?!=)/;
/** All of that before what the variable is initialised with. */
const DECLARED = /^\s*(?:[A-Za-z_]\w*[\s*]+)+[A-Za-z_]\w*\s*(?:\[[^\]]*\]\s*)*=(?!=)/;
/** Calls without a value. */
const VOID_CALL = /^\s*\w*atomic_\w*(?:store|clear|init)\w*\s*\(/;
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

/** Text that is put before a character. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

function printFile({ name, text }: SourceFile, offsets: readonly number[]): string {
  const bare = withoutComments(text);
  const insertions = new Map<string, Insertion>();
  for (const offset of offsets)
    for (const each of insertionsFor(text, bare, offset)) insertions.set(`${each.at} ${each.text}`, each);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const changes: Change[] = [];
  let start = 0;
  for (const [line, before] of lines.entries()) {
    const here = [...insertions.values()].filter(({ at }) => at >= start && at <= start + before.length);
    // From the last to the first, so that places in one line stay where they are.
    here.sort((a, b) => b.at - a.at);
    const after = here.reduce(
      (so, { at, text: more }) => so.slice(0, at - start) + more + so.slice(at - start),
      before,
    );
    if (here.length > 0) changes.push({ line, after: after.split('\n') });
    start += before.length + 1;
  }
  return `--- ${name}\n+++ ${name}\n${printHunks(lines, changes)}`;
}

/** Of the same length, with spaces for comments, literals and directives. */
function withoutComments(text: string): string {
  const parts =
    /\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|^[ \t]*#(?:\\\r?\n|[^\n])*/gm;
  return text.replace(parts, (part) => part.replace(/[^\n]/g, ' '));
}

/** An open bracket, and where in it the last statement, clause or operand begins. */
interface Bracket {
  readonly at: number;
  readonly kind: string;
  start: number;
}

/** The brackets that are open at the place, the innermost last. */
function openAt(bare: string, offset: number): Bracket[] {
  const open: Bracket[] = [{ at: -1, kind: '{', start: 0 }];
  for (let at = 0; at < offset; at++) {
    const character = bare[at] as string;
    const last = open[open.length - 1] as Bracket;
    if ('([{'.includes(character)) open.push({ at, kind: character, start: at + 1 });
    else if (')]}'.includes(character)) {
      if (open.length > 1) open.pop();
      if (character === '}') (open[open.length - 1] as Bracket).start = at + 1;
    } else if (character === ';' || (character === ',' && last.kind !== '{')) last.start = at + 1;
  }
  return open;
}

/** The first of the characters behind the place that stands in no further bracket; the end of the text without one. */
function findEnd(bare: string, offset: number, characters: string): number {
  let depth = 0;
  for (let at = offset; at < bare.length; at++) {
    const character = bare[at] as string;
    if (depth <= 0 && characters.includes(character)) return at;
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
  }
  return bare.length;
}

function insertionsFor(text: string, bare: string, offset: number): Insertion[] {
  const open = openAt(bare, offset);
  const block = open.findLastIndex(({ kind }) => kind === '{');
  const statement = open[block] as Bracket;
  const outer = open[block + 1];
  const end = findEnd(bare, offset, ';');
  if (outer) {
    const inner = open[open.length - 1] as Bracket;
    const to = findEnd(bare, offset, ',;)]');
    const isCondition = /\b(?:if|while|switch|for)\s*$/.test(bare.slice(0, outer.at));
    if (isCondition || /[A-Za-z_]/.test(bare.slice(to, end))) return joined(text, inner.start, to);
  }
  const head = bare.slice(statement.start, offset);
  const result = /\breturn\b/.exec(head);
  if (result) return joined(text, statement.start + result.index + result[0].length, end);
  const isControlled = CONTROL.test(head);
  const isDeclaration = !isControlled && DECLARATION.test(head);
  const comma = findEnd(bare, offset, ',;');
  if (isDeclaration && comma < end) return joined(text, statement.start + endOfName(head), comma);
  if (isControlled || comma < end) return [{ at: comma, text: `, ${FENCE}` }];
  const lineStart = text.lastIndexOf('\n', end - 1) + 1;
  if (isAlone(text, bare, lineStart, end)) {
    const indent = /^\s*/.exec(text.slice(lineStart, end))?.[0] ?? '';
    const lineEnd = text.indexOf('\n', end);
    return [{ at: lineEnd < 0 ? text.length : lineEnd, text: `\n${indent}${FENCE};` }];
  }
  if (isDeclaration) return [{ at: end + 1, text: ` ${FENCE};` }];
  return [{ at: end, text: `, ${FENCE}` }];
}

/** Where what the last variable of a declaration is initialised with begins. */
function endOfName(head: string): number {
  let start = 0;
  for (let at = findEnd(head, 0, ','); at < head.length; at = findEnd(head, at + 1, ',')) start = at;
  return head.indexOf('=', start) + 1;
}

/** Whether the line has nothing but the statement that ends there, and is no part of another one. */
function isAlone(text: string, bare: string, lineStart: number, end: number): boolean {
  const head = bare.slice(lineStart, end);
  const rest = (bare.slice(end + 1).split('\n')[0] as string).trim();
  const lineBefore = text
    .slice(0, Math.max(0, lineStart - 1))
    .split('\n')
    .at(-1) as string;
  return rest === '' && /\S/.test(head) && !/[;{}]|:\s/.test(head) && !/(?:\)|\belse|\bdo|:)\s*$/.test(lineBefore);
}

/** The expression between these places with a fence behind it, and with its value. */
function joined(text: string, from: number, to: number): Insertion[] {
  const declared = DECLARED.exec(text.slice(from, to))?.[0].length ?? 0;
  const whole = text.slice(from + declared, to);
  if (VOID_CALL.test(whole)) return [{ at: to, text: `, ${FENCE}` }];
  const start = from + declared + (/^\s*/.exec(whole)?.[0].length ?? 0);
  const expression = whole.trim();
  return [
    { at: start, text: `({ __typeof__(${expression.replace(/\s+/g, ' ')}) value = (` },
    { at: start + expression.length, text: `); ${FENCE}; value; })` },
  ];
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

/**
 * Where the parts of a branching statement stand in the source: a witness names the statement by its line (and perhaps
 * the column of its keyword) and says which way it goes; a run is at an instruction, which has a line and a column.
 * This reads the text with no more than the brackets, strings and comments of C: keyword, condition in parentheses, and
 * the statement that is executed when the condition holds; of a switch, the statements behind a label.
 *
 * Left out: conditional expressions, and statements that a macro makes.
 */

import type { SourceFile } from '../../support/source.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface BranchingStatement {
  readonly keyword: 'if' | 'while' | 'for' | 'switch';
  /** All spans are offsets in the text. */
  readonly condition: Span;
  /** What is executed when it holds; empty for the end of a `do` loop, and for loops that only wait. */
  readonly body: Span;
}

const KEYWORD = /\b(if|while|for|switch)\b/g;

/** The branching statement of a line that begins at the column, or the first one where there is none; null: no such. */
export function findBranching(
  { text }: Pick<SourceFile, 'text'>,
  lineStart: number,
  column: number | null,
): BranchingStatement | null {
  const lineEnd = text.indexOf('\n', lineStart) < 0 ? text.length : text.indexOf('\n', lineStart);
  const line = text.slice(lineStart, lineEnd);
  const matches = [...line.matchAll(KEYWORD)].filter(({ index }) => column === null || index >= column - 1);
  const [match] = matches;
  if (!match) return null;
  const keyword = match[1] as BranchingStatement['keyword'];
  const open = skipBlank(text, lineStart + match.index + keyword.length);
  if (text[open] !== '(') return null;
  const close = skipGroup(text, open);
  const body = skipBlank(text, close);
  return { keyword, condition: { start: open, end: close }, body: { start: body, end: skipStatement(text, body) } };
}

/** The statements of a switch that begin at the label of a value, or at `default`; null: there is no such label. */
export function findCase({ text }: Pick<SourceFile, 'text'>, { body }: BranchingStatement, value: string): Span | null {
  const labels = [...text.slice(body.start, body.end).matchAll(/\b(?:case\s+([^:]+?)|(default))\s*:/g)];
  const at = labels.findIndex(([, constant, other]) => (other ?? constant) === value);
  const label = labels[at];
  if (!label) return null;
  // Labels in a row stand for the same statements.
  let last = at;
  let start = body.start + label.index + label[0].length;
  for (
    let next = labels[last + 1];
    next && skipBlank(text, start) === body.start + next.index;
    next = labels[last + 1]
  ) {
    start = body.start + next.index + next[0].length;
    last++;
  }
  const following = labels[last + 1];
  return { start, end: following ? body.start + following.index : body.end };
}

/** Past blanks and comments. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (/\s/.test(text[at] ?? '')) at++;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at + 2);
    else return at;
  }
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Past a literal or a comment; the offset itself where there is none. */
function skipLiteral(text: string, at: number): number {
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    let end = at + 1;
    while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
    return end + 1;
  }
  return text.startsWith('//', at) || text.startsWith('/*', at) ? skipBlank(text, at) : at;
}

/** Past the bracket that closes the one at the offset. */
function skipGroup(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; ) {
    const after = skipLiteral(text, at);
    if (after > at) {
      at = after;
      continue;
    }
    if ('([{'.includes(text[at] as string)) depth++;
    if (')]}'.includes(text[at] as string)) depth--;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Past a statement, with the branches of its own. */
function skipStatement(text: string, start: number): number {
  let at = start;
  // Not by recursion: `if (a) if (b) …` may be long.
  for (;;) {
    const word = /^(?:if|while|for|switch|else|do)\b/.exec(text.slice(at, at + 8))?.[0];
    if (word === undefined) break;
    at = skipBlank(text, at + word.length);
    if (word !== 'else' && word !== 'do') at = skipBlank(text, skipGroup(text, at));
  }
  let end = text[at] === '{' ? skipGroup(text, at) : skipToSemicolon(text, at);
  const next = skipBlank(text, end);
  if (/^else\b/.test(text.slice(next, next + 5)) && /^if\b/.test(text.slice(start, start + 3)))
    end = skipStatement(text, skipBlank(text, next + 4));
  return end;
}

function skipToSemicolon(text: string, from: number): number {
  for (let at = from; at < text.length; ) {
    const after = skipLiteral(text, at);
    if (after > at) at = after;
    else if (text[at] === ';') return at + 1;
    else if ('([{'.includes(text[at] as string)) at = skipGroup(text, at);
    else at++;
  }
  return text.length;
}

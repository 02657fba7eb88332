/**
 * Going on after an error. A construct that was given up leaves tokens behind; these functions skip to where the next
 * construct of the same kind probably starts. Brackets met on the way are skipped as wholes. A closing brace is never
 * passed, since it ends what the construct stands in: one lost brace there would garble the rest of the file.
 */

import { keyword } from './keywords.ts';
import { type Parser, SyntaxFault } from './parser.ts';

/** Words that start a statement or a declaration, and nothing else: at the start of a line, a good place to go on. */
const STARTERS: ReadonlySet<string> = new Set(
  (
    'if for while do switch return goto break continue case default ' +
    'typedef static extern struct union enum int char void unsigned long short float double'
  ).split(' '),
);

/**
 * Runs one construct. When it is given up, restores scope and depth, lets `skip` find the place to go on, and returns
 * null. At least one token is passed, braces aside, so that lists of constructs come to an end.
 */
export function recovering<T>(p: Parser, parseConstruct: () => T, skip: (p: Parser) => void): T | null {
  const { position, depth } = p;
  const level = p.scope.level;
  try {
    return parseConstruct();
  } catch (fault) {
    if (!(fault instanceof SyntaxFault) || fault.givesUp) throw fault;
    p.scope.closeTo(level);
    p.restoreDepth(depth);
    skip(p);
    if (p.position === position && !p.at('}') && !p.at('{')) p.next();
    return null;
  }
}

/** Whether the current token starts something new, so that only a `;` before it is missing. */
export function startsNextConstruct(p: Parser): boolean {
  const { kind, text, lineStart } = p.token;
  return lineStart || kind === 'end' || text === '}' || (kind === 'identifier' && STARTERS.has(keyword(text) ?? ''));
}

/** Skips past the `;` or the `{…}` that ends a statement or declaration, or to the `}` of the enclosing block. */
export function skipToNextStatement(p: Parser): void {
  while (!p.atEnd() && !p.at('}')) {
    if (p.accept(';')) return;
    if (p.at('{')) {
      skipBalanced(p);
      if (endsAfterBrace(p)) return;
    } else if (p.at('(') || p.at('[')) {
      skipBalanced(p);
    } else {
      p.next();
      if (p.token.lineStart && p.token.kind === 'identifier' && STARTERS.has(keyword(p.token.text) ?? '')) return;
    }
  }
}

/** Skips to one of the punctuators, without passing it, or to what ends the enclosing construct. */
export function skipTo(p: Parser, ...stops: readonly string[]): void {
  while (!p.atEnd() && !p.at('}') && !p.at(';')) {
    if (p.token.kind === 'punctuator' && stops.includes(p.token.text)) return;
    if (p.at('{') || p.at('(') || p.at('[')) skipBalanced(p);
    else p.next();
  }
}

/** Skips an external declaration as a whole, from its first token on: for those that are nested too deeply. */
export function skipExternalDeclaration(p: Parser): void {
  while (!p.atEnd()) {
    if (p.accept(';')) return;
    const braces = p.at('{');
    if (braces || p.at('(') || p.at('[')) skipBalanced(p);
    else p.next();
    if (braces && endsAfterBrace(p)) return;
  }
}

/** After a skipped `{…}`: whether a new construct starts here, rather than the rest of the old one. */
function endsAfterBrace(p: Parser): boolean {
  if (p.accept(';')) return true;
  if (p.atEnd() || p.at('}')) return true;
  return p.token.lineStart && p.token.kind === 'identifier' && p.token.text !== 'else';
}

/**
 * Skips a bracket and all up to its partner. A round or square bracket whose partner is missing ends at a brace that
 * closes, or at a `;` at the end of a line.
 */
function skipBalanced(p: Parser): void {
  const open: string[] = [];
  do {
    const { text, kind } = p.token;
    if (kind === 'punctuator') {
      const inRound = open.at(-1) !== '}';
      if (text === '(') open.push(')');
      else if (text === '[') open.push(']');
      else if (text === '{') open.push('}');
      else if (text === '}') {
        while (open.length > 0 && open.at(-1) !== '}') open.pop();
        if (open.length === 0) return;
        open.pop();
      } else if (text === open.at(-1)) open.pop();
      else if (text === ';' && inRound && p.peek(1).lineStart) {
        while (open.length > 0 && open.at(-1) !== '}') open.pop();
        if (open.length === 0) return;
      }
    }
    p.next();
  } while (open.length > 0 && !p.atEnd());
}

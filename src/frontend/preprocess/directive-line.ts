/** Reading the line of a directive: what the directives of this folder share. */

import type { PreprocessingToken } from '../lex/token.ts';
import { currentFile, type Session } from './session.ts';

export type Directive = (session: Session, name: PreprocessingToken) => void;

/** The remaining tokens of the directive's line, not expanded. */
export function restOfLine(session: Session): PreprocessingToken[] {
  return currentFile(session).lexer.restOfLine();
}

/** The name of the macro that a `#define`, `#undef`, `#ifdef` … is about, or null after a reported fault. */
export function macroName(session: Session, directive: PreprocessingToken): PreprocessingToken | null {
  const token = currentFile(session).lexer.nextInLine();
  if (token?.kind === 'identifier' && token.text !== 'defined') return token;
  const message = token ? 'a macro name must be an identifier' : `no macro name given in #${directive.text}`;
  session.sink.error((token ?? directive).loc, 'macro-name', message);
  return null;
}

/** Warns about what stands after the end of a directive. */
export function expectLineEnd(session: Session, directive: PreprocessingToken): void {
  const extra = currentFile(session).lexer.nextInLine();
  if (extra) session.sink.warning(extra.loc, 'extra-tokens', `extra tokens at the end of #${directive.text}`);
}

/** Tokens as text, with one space where there was white space. */
export function spellLine(tokens: readonly PreprocessingToken[]): string {
  return tokens
    .map((token) => (token.spaceBefore ? ` ${token.text}` : token.text))
    .join('')
    .trim();
}

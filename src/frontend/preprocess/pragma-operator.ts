/** `_Pragma("…")`: a pragma that macros can make (C11 6.10.9). Its string becomes the tokens of a `#pragma` line. */

import { Lexer } from '../lex/lexer.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import { pragma } from './pragmas.ts';
import type { Session } from './session.ts';

/** Carries out the operator whose name was just read. */
export function runPragmaOperator(session: Session, operator: PreprocessingToken): void {
  const { expander, sources, sink } = session;
  const [open, literal, close] = [expander.next(), expander.next(), expander.next()];
  if (open.text !== '(' || literal.kind !== 'string' || close.text !== ')') {
    sink.error(operator.loc, 'pragma', '_Pragma takes a parenthesised string literal');
    expander.unread([open, literal, close].filter((token) => token.kind !== 'end'));
    return;
  }
  const file = sources.addFile('<_Pragma>', destringize(literal.text), sources.expansionOf(operator.loc));
  const lexer = new Lexer(file, session.texts, sink);
  const tokens: PreprocessingToken[] = [];
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) tokens.push(token);
  pragma(session, tokens, operator);
}

/** The string's characters, line ends taken for spaces. */
function destringize(literal: string): string {
  return literal
    .replace(/^(?:L|u8?|U)?"/, '')
    .replace(/"$/, '')
    .replace(/\\([\\"])/g, '$1')
    .replace(/[\r\n]/g, ' ');
}

/**
 * The `##` operator on two tokens: their texts joined must be one token again. Whether they are is asked of the lexer itself.
 */

import { DiagnosticSink } from '../../support/diagnostics.ts';
import { NOWHERE, type SourceMap } from '../../support/source.ts';
import { Lexer } from '../lex/lexer.ts';
import type { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken } from '../lex/token.ts';

/** The token made of both; or, after a reported fault, the two of them. */
export function pasteTokens(
  left: PreprocessingToken,
  right: PreprocessingToken,
  texts: TextTable,
  sources: SourceMap,
  sink: DiagnosticSink,
): PreprocessingToken[] {
  const made = lexAlone(left.text + right.text, texts);
  if (made) return [{ ...left, kind: made.kind, text: made.text, noExpand: false }];
  const message = `pasting '${left.text}' and '${right.text}' does not give a valid preprocessing token`;
  sink.error(sources.expansionOf(left.loc), 'paste', message);
  return [left, right];
}

/** The text as one token, or null when it is none or several. */
function lexAlone(text: string, texts: TextTable): PreprocessingToken | null {
  const file = { index: 0, name: '', text, base: 0, includedFrom: NOWHERE };
  const lexer = new Lexer(file, texts, new DiagnosticSink());
  const token = lexer.next();
  if (token.kind === 'end' || token.kind === 'other' || token.spaceBefore) return null;
  return lexer.loc === text.length ? token : null;
}

/**
 * The `##` operator on two tokens: their texts joined must be one token again. Whether they are is asked of the lexer
 * itself.
 */

import { DiagnosticSink } from '../../support/diagnostics.ts';
import { NOWHERE, type SourceMap } from '../../support/source.ts';
import { Lexer } from '../lex/lexer.ts';
import type { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken } from '../lex/token.ts';

/** A name or number made by pasting is at most so long: a hundred times what C asks of a compiler. */
const PASTED_LIMIT = 6_300;

/** The token made of both; or, after a reported fault, the two of them. */
export function pasteTokens(
  left: PreprocessingToken,
  right: PreprocessingToken,
  texts: TextTable,
  sources: SourceMap,
  sink: DiagnosticSink,
): PreprocessingToken[] {
  const loc = sources.expansionOf(left.loc);
  if (left.text.length > PASTED_LIMIT) {
    sink.error(loc, 'paste', `pasting makes a token of more than ${PASTED_LIMIT} characters`);
    return [left, right];
  }
  const made = lexAlone(left.text + right.text, texts);
  if (made) return [{ ...left, kind: made.kind, text: made.text, noExpand: false }];
  const message = `pasting '${clip(left.text)}' and '${clip(right.text)}' does not give a valid preprocessing token`;
  sink.error(loc, 'paste', message);
  return [left, right];
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The text as one token, or null when it is none or several. */
function lexAlone(text: string, texts: TextTable): PreprocessingToken | null {
  const file = { index: 0, name: '', text, base: 0, includedFrom: NOWHERE };
  const lexer = new Lexer(file, texts, new DiagnosticSink());
  const token = lexer.next();
  if (token.kind === 'end' || token.kind === 'other' || token.spaceBefore) return null;
  return lexer.loc === text.length ? token : null;
}

/**
 * Tokens. The lexer makes preprocessing tokens, the preprocessor rewrites their sequence, the parser reads what is left.
 * Punctuators and keywords are identified by their text (`token.text === '->'`); texts of identifiers and punctuators are
 * interned by the lexer, so that comparisons are comparisons of references.
 */

import type { Loc } from '../../support/source.ts';

export type TokenKind =
  | 'identifier' // also keywords: the parser knows which texts are reserved
  | 'number' // a preprocessing number, not yet interpreted
  | 'character' // with its prefix and quotes: L'a'
  | 'string' // with its prefix and quotes: u8"abc"
  | 'punctuator' // digraphs are already spelled as the usual token
  | 'pragma' // a `#pragma pack(…)` that the parser must see; its text is what follows `#pragma`
  | 'other' // a stray character; the parser reports it
  | 'end'; // end of input

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly loc: Loc;
  /** White space (or a line end) stands before it: needed for `#` and for printing. */
  readonly spaceBefore: boolean;
  /** It is the first token of its line: needed for directives and for printing. */
  readonly lineStart: boolean;
}

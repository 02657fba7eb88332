/**
 * Tokens. The lexer makes preprocessing tokens, the preprocessor rewrites their sequence, the parser reads what is
 * left. Punctuators and keywords are identified by their text (`token.text === '->'`); texts of identifiers and
 * punctuators are interned by the lexer, so that comparisons are comparisons of references.
 */

import type { Loc } from '../../support/source.ts';

export type TokenKind =
  | 'identifier' // also keywords: the parser knows which texts are reserved
  | 'number' // a preprocessing number, not yet interpreted
  | 'character' // with its prefix and quotes: L'a'
  | 'string' // with its prefix and quotes: u8"abc"
  | 'punctuator' // digraphs are already spelled as the usual token
  | 'other' // a stray character or an unterminated literal: the preprocessor reports and repairs or drops it
  | 'pragma' // a pragma that changes the meaning, on one line: `#pragma pack(push, 1)`; all others are dropped
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

/**
 * What the lexer makes and the preprocessor works with. All tokens have this one shape, which keeps reading them fast.
 */
export interface PreprocessingToken extends Token {
  /** The name of a macro met inside its own expansion: it never expands again (C11 6.10.3.4). */
  readonly noExpand: boolean;
}

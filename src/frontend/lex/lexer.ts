/**
 * The lexer: the text of one file to preprocessing tokens, on demand (C11 6.4). It knows nothing of directives; the
 * preprocessor asks for tokens one at a time, or for tokens of the current line only, or for a header name. Comments
 * and line ends become the flags `spaceBefore` and `lineStart` of the next token.
 *
 * It never fails: a character that starts no token, and a literal without its closing quote (which then reaches to the
 * end of the line), are tokens of kind 'other'. They are faults only if they reach the parser; in a skipped group or in
 * an unused macro they are not. So nothing but an unterminated comment is reported here.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc, SourceFile } from '../../support/source.ts';
import { isDigit, isIdentifierPart, isIdentifierStart, isWideIdentifierPart } from './characters.ts';
import { PUNCTUATORS_BY_START, SINGLE_PUNCTUATORS } from './punctuators.ts';
import { spliceLines } from './splice-lines.ts';
import type { TextTable } from './text-table.ts';
import type { PreprocessingToken, TokenKind } from './token.ts';

export interface LexerOptions {
  readonly trigraphs?: boolean;
}

export interface HeaderName {
  readonly name: string;
  /** Written `<name>` rather than `"name"`. */
  readonly angled: boolean;
  readonly loc: Loc;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
const OPEN_PARENTHESIS = 40;
const STAR = 42;
const DOT = 46;
const SLASH = 47;
const LESS = 60;
const BACKSLASH = 92;
const BYTE_ORDER_MARK = 0xfeff;

const LITERAL_PREFIXES: ReadonlySet<string> = new Set(['L', 'u', 'U', 'u8']);

/** One per inclusion of a file. It owns its position; whoever holds it moves it. */
export class Lexer {
  readonly #file: SourceFile;
  readonly #text: string;
  readonly #cuts: Int32Array | null;
  readonly #texts: TextTable;
  readonly #sink: DiagnosticSink;
  #position = 0;
  /** Index in #cuts of the first pair past the last place asked for; #removed belongs to the pair before. */
  #cut = 0;
  #removed = 0;
  /** Flags of the token to come, gathered from the white space already passed. */
  #spaceBefore = false;
  #lineStart = true;

  constructor(file: SourceFile, texts: TextTable, sink: DiagnosticSink, options: LexerOptions = {}) {
    const spliced = spliceLines(file.text, options.trigraphs ?? false);
    this.#file = file;
    this.#text = spliced.text;
    this.#cuts = spliced.cuts;
    this.#texts = texts;
    this.#sink = sink;
    if (this.#text.charCodeAt(0) === BYTE_ORDER_MARK) this.#position = 1;
  }

  /** The next token, of kind 'end' at the end of the text (again and again). */
  next(): PreprocessingToken {
    this.#skipSpace();
    return this.#scan();
  }

  /** The next token of the current line, or null at the line's end, which stays unread. */
  nextInLine(): PreprocessingToken | null {
    this.#skipSpace();
    if (this.#lineStart || this.#position >= this.#text.length) return null;
    return this.#scan();
  }

  /** Whether the next token is `(`, in this line or (unless told otherwise) a later one. Reads nothing. */
  nextIsOpenParenthesis(inLine: boolean): boolean {
    this.#skipSpace();
    if (inLine && this.#lineStart) return false;
    return this.#text.charCodeAt(this.#position) === OPEN_PARENTHESIS;
  }

  /** A header name in the current line; null, with nothing read, when something else comes. */
  headerName(): HeaderName | null {
    this.#skipSpace();
    if (this.#lineStart) return null;
    const start = this.#position;
    const first = this.#text.charCodeAt(start);
    if (first !== LESS && first !== QUOTE) return null;
    const close = this.#text.indexOf(first === LESS ? '>' : '"', start + 1);
    if (close < 0 || close > this.#lineEnd(start)) return null;
    this.#position = close + 1;
    this.#spaceBefore = false;
    return { name: this.#text.slice(start + 1, close), angled: first === LESS, loc: this.#locAt(start) };
  }

  /** Skips to a `#` that starts a line and reads it, or gives the 'end' token. */
  skipToDirective(): PreprocessingToken {
    for (;;) {
      this.#skipSpace();
      const token = this.#scan();
      if (token.kind === 'end' || (token.lineStart && token.text === '#')) return token;
    }
  }

  /** Goes on in the middle of a line, of a text in which no line is spliced. */
  moveTo(offset: number): void {
    this.#position = offset;
    this.#lineStart = false;
  }

  /** The tokens up to the end of the current line. */
  restOfLine(): PreprocessingToken[] {
    const tokens: PreprocessingToken[] = [];
    for (let token = this.nextInLine(); token; token = this.nextInLine()) tokens.push(token);
    return tokens;
  }

  /** Passes over the rest of the current line. */
  skipLine(): void {
    while (this.nextInLine() !== null);
  }

  /** The place that the lexer has reached. */
  get loc(): Loc {
    return this.#locAt(this.#position);
  }

  #skipSpace(): void {
    const text = this.#text;
    let at = this.#position;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) {
        this.#spaceBefore = true;
        if (code === LINE_FEED) this.#lineStart = true;
        at++;
      } else if (code === SLASH) {
        const second = text.charCodeAt(at + 1);
        if (second === SLASH) at = this.#lineEnd(at);
        else if (second === STAR) at = this.#commentEnd(at);
        else break;
        this.#spaceBefore = true;
      } else break;
    }
    this.#position = at;
  }

  #commentEnd(start: number): number {
    const end = this.#text.indexOf('*/', start + 2);
    if (end >= 0) return end + 2;
    this.#sink.error(this.#locAt(start), 'unterminated-comment', 'unterminated comment');
    return this.#text.length;
  }

  #lineEnd(start: number): number {
    const end = this.#text.indexOf('\n', start);
    return end < 0 ? this.#text.length : end;
  }

  #scan(): PreprocessingToken {
    const start = this.#position;
    if (start >= this.#text.length) return this.#token('end', '', start, start);
    const code = this.#text.charCodeAt(start);
    if (isIdentifierStart(code)) return this.#identifier(start, code);
    if (isDigit(code)) return this.#number(start);
    if (code === QUOTE || code === APOSTROPHE) return this.#literal(start, start);
    if (code === DOT && isDigit(this.#text.charCodeAt(start + 1))) return this.#number(start);
    if (code < 128 && code !== BACKSLASH) return this.#punctuator(start, code);
    if (this.#wideCharacterEnd(start) > start) return this.#wideIdentifier(start);
    const point = this.#text.codePointAt(start) as number;
    const end = start + (point > 0xffff ? 2 : 1);
    return this.#token('other', this.#text.slice(start, end), start, end);
  }

  #identifier(start: number, first: number): PreprocessingToken {
    const text = this.#text;
    let hash = first;
    let at = start + 1;
    let code = text.charCodeAt(at);
    while (isIdentifierPart(code)) {
      hash = (Math.imul(hash, 31) + code) | 0;
      code = text.charCodeAt(++at);
    }
    if ((code === QUOTE || code === APOSTROPHE) && at - start <= 2 && LITERAL_PREFIXES.has(text.slice(start, at))) {
      return this.#literal(start, at);
    }
    if (code >= 128 || code === BACKSLASH) return this.#wideIdentifier(start);
    return this.#token('identifier', this.#texts.internSlice(text, start, at, hash), start, at);
  }

  /** An identifier with characters past ASCII, as such or as universal character names, which become characters. */
  #wideIdentifier(start: number): PreprocessingToken {
    const pieces: string[] = [];
    let at = start;
    for (;;) {
      const plain = at;
      while (isIdentifierPart(this.#text.charCodeAt(at))) at++;
      pieces.push(this.#text.slice(plain, at));
      const end = this.#wideCharacterEnd(at);
      if (end === at) break;
      const escaped = this.#text.charCodeAt(at) === BACKSLASH;
      const spelling = this.#text.slice(at, end);
      pieces.push(escaped ? String.fromCodePoint(Number.parseInt(spelling.slice(2), 16)) : spelling);
      at = end;
    }
    return this.#token('identifier', this.#texts.intern(pieces.join('')), start, at);
  }

  /** The end of the identifier character past ASCII at an offset; the offset itself when there is none. */
  #wideCharacterEnd(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === BACKSLASH) {
      const match = /^\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/.exec(this.#text.slice(at, at + 10));
      if (!match) return at;
      const point = Number.parseInt(match[0].slice(2), 16);
      return point >= 128 && isWideIdentifierPart(point) ? at + match[0].length : at;
    }
    if (!(code >= 128)) return at;
    const point = this.#text.codePointAt(at) as number;
    return isWideIdentifierPart(point) ? at + (point > 0xffff ? 2 : 1) : at;
  }

  /** A preprocessing number: also what no parser will take as a number, such as `1.2.3e+x`. */
  #number(start: number): PreprocessingToken {
    const text = this.#text;
    let hash = 0;
    let at = start;
    let previous = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      const exponent = (previous | 32) === 101 || (previous | 32) === 112;
      if (!isIdentifierPart(code) && code !== DOT && !(exponent && (code === 43 || code === 45))) {
        const end = this.#wideCharacterEnd(at);
        if (end === at) break;
        at = end;
        previous = 0;
        continue;
      }
      hash = (Math.imul(hash, 31) + code) | 0;
      previous = code;
      at++;
    }
    return this.#token('number', this.#texts.internSlice(text, start, at, hash), start, at);
  }

  /** A character or string literal whose prefix starts at `start` and whose quote stands at `quoteAt`. */
  #literal(start: number, quoteAt: number): PreprocessingToken {
    const text = this.#text;
    const quote = text.charCodeAt(quoteAt);
    let at = quoteAt + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code === LINE_FEED || at >= text.length) {
        const end = text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
        return this.#token('other', text.slice(start, end), start, at);
      }
      at += code === BACKSLASH && text.charCodeAt(at + 1) !== LINE_FEED && at + 1 < text.length ? 2 : 1;
    }
    return this.#token(quote === QUOTE ? 'string' : 'character', text.slice(start, at + 1), start, at + 1);
  }

  #punctuator(start: number, code: number): PreprocessingToken {
    const single = SINGLE_PUNCTUATORS[code] as string;
    if (single !== '') return this.#token('punctuator', single, start, start + 1);
    for (const { spelling, text } of PUNCTUATORS_BY_START[code] as readonly { spelling: string; text: string }[]) {
      if (this.#text.startsWith(spelling, start)) {
        return this.#token('punctuator', text, start, start + spelling.length);
      }
    }
    return this.#token('other', String.fromCharCode(code), start, start + 1);
  }

  #token(kind: TokenKind, text: string, start: number, end: number): PreprocessingToken {
    const token = {
      kind,
      text,
      loc: this.#locAt(start),
      spaceBefore: this.#spaceBefore,
      lineStart: this.#lineStart,
      noExpand: false,
    };
    this.#position = end;
    this.#spaceBefore = false;
    this.#lineStart = false;
    return token;
  }

  /** The place of an offset of the spliced text. Offsets are asked for in ascending order. */
  #locAt(offset: number): Loc {
    const cuts = this.#cuts;
    if (cuts !== null) {
      while (this.#cut < cuts.length && (cuts[this.#cut] as number) <= offset) {
        this.#removed = cuts[this.#cut + 1] as number;
        this.#cut += 2;
      }
    }
    return (this.#file.base + offset + this.#removed) as Loc;
  }
}

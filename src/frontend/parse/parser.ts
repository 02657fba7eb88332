/**
 * The state that the functions of the grammar share: the tokens with a reading position, the names in scope, and the
 * depth of nesting. One `Parser` belongs to one call of `parse`; only the grammar's functions change it.
 *
 * Errors: `fail` reports and throws a `SyntaxFault`, which unwinds to the nearest place that knows how to go on (a
 * statement of a block, a member of a struct, an external declaration; see recover.ts). At most one error is reported
 * for a token: what goes wrong again where something already went wrong is a consequence.
 *
 * Nesting: the grammar is recursive, and so are those who read the tree. `enter` and `leave` count how deep the tree is
 * at the current token; beyond NESTING_LIMIT the whole external declaration is given up. Postfix operators nest
 * their operand after it was read: `deepest` is the deepest point since it was last reset, from which follows how high
 * the operand is (see `wrap`). The left operands of binary operators are not counted: readers go along them in loops.
 */

import type { DiagnosticNote, DiagnosticSink } from '../../support/diagnostics.ts';
import { type Loc, NOWHERE } from '../../support/source.ts';
import type { Token } from '../lex/token.ts';
import type { WeakPragma } from './ast.ts';
import { keyword } from './keywords.ts';
import type { NameKinds } from './scope.ts';
import { packAt, type SeparatedTokens, separatePragmas } from './separate-pragmas.ts';

/**
 * How deep a tree may be: what the default stack of Node holds on every path through the grammar, and clang's choice.
 */
export const NESTING_LIMIT = 256;

/** Unwinds the grammar after an error was reported. Never leaves `parse`. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  /** Nested too deeply: nothing inside the external declaration goes on. */
  readonly givesUp: boolean;

  constructor(givesUp: boolean) {
    super('syntax error');
    this.givesUp = givesUp;
  }
}

export class Parser {
  readonly scope: NameKinds;
  /** Names already reported as unknown types: once is enough. */
  readonly unknownTypes = new Set<string>();
  readonly #input: SeparatedTokens;
  readonly #sink: DiagnosticSink;
  readonly #end: Token;
  #position = 0;
  #token: Token;
  #previous: Token;
  #depth = 0;
  #deepest = 0;
  #lastErrorAt = -1;

  constructor(tokens: readonly Token[], sink: DiagnosticSink, scope: NameKinds) {
    this.scope = scope;
    this.#input = separatePragmas(tokens, sink);
    this.#sink = sink;
    const last = this.#input.tokens.at(-1);
    const end: Token = { kind: 'end', text: '', loc: last?.loc ?? NOWHERE, spaceBefore: true, lineStart: true };
    this.#end = last?.kind === 'end' ? last : end;
    this.#token = this.#input.tokens[0] ?? this.#end;
    this.#previous = this.#token;
  }

  // -------------------------------------------------------------- tokens

  /** The current token. */
  get token(): Token {
    return this.#token;
  }

  get loc(): Loc {
    return this.#token.loc;
  }

  /** The token before the current one. */
  get previous(): Token {
    return this.#previous;
  }

  get position(): number {
    return this.#position;
  }

  /** Goes back (or on) to a position, to skip from there: only recovery does that. */
  resetTo(position: number): void {
    this.#position = position;
    this.#token = this.#input.tokens[position] ?? this.#end;
  }

  /** Passes the current token and returns it. */
  next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#token = this.#input.tokens[++this.#position] ?? this.#end;
    this.#previous = token;
    return token;
  }

  peek(distance: number): Token {
    return this.#input.tokens[this.#position + distance] ?? this.#end;
  }

  /** Whether the current token is this punctuator. */
  at(text: string): boolean {
    return this.#token.text === text && this.#token.kind === 'punctuator';
  }

  atEnd(): boolean {
    return this.#token.kind === 'end';
  }

  /** The canonical spelling if the current token is a reserved word. */
  keyword(): string | undefined {
    return this.#token.kind === 'identifier' ? keyword(this.#token.text) : undefined;
  }

  atKeyword(canonical: string): boolean {
    return this.keyword() === canonical;
  }

  /** Whether a token is an identifier that is not reserved. */
  isName(token: Token): boolean {
    return token.kind === 'identifier' && keyword(token.text) === undefined;
  }

  isTypedefName(token: Token): boolean {
    return token.kind === 'identifier' && this.scope.isTypedef(token.text);
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.next();
    return true;
  }

  acceptKeyword(canonical: string): boolean {
    if (!this.atKeyword(canonical)) return false;
    this.next();
    return true;
  }

  /** Passes this punctuator or fails; `context` goes on from "expected 'x' ". */
  expect(text: string, context = ''): Token {
    if (!this.at(text)) this.fail(`expected '${text}'${context && ` ${context}`}`);
    return this.next();
  }

  /** Passes the closing partner of a bracket or fails, pointing at the opening one. */
  expectClosing(text: string, opening: Token): Token {
    if (!this.at(text)) {
      this.fail(`expected '${text}'${this.#before()}`, [
        { loc: opening.loc, message: `to match this '${opening.text}'` },
      ]);
    }
    return this.next();
  }

  expectName(what = 'identifier'): Token {
    if (!this.isName(this.#token)) this.fail(`expected ${what}${this.#before()}`);
    return this.next();
  }

  /** The value of `#pragma pack` in force at the current token. */
  get pack(): number | null {
    return packAt(this.#input.packChanges, this.#position);
  }

  get weakPragmas(): readonly WeakPragma[] {
    return this.#input.weakPragmas;
  }

  // -------------------------------------------------------------- errors

  /** Reports an error at the current token and gives up the construct. */
  fail(message: string, notes: readonly DiagnosticNote[] = []): never {
    this.errorHere(message, notes);
    throw new SyntaxFault(false);
  }

  /** `fail` for what the grammar wants here: names the token that stands in its place. */
  failExpected(what: string): never {
    this.fail(`expected ${what}${this.#before()}`);
  }

  /** Reports an error at the current token, unless one was reported there. */
  errorHere(message: string, notes: readonly DiagnosticNote[] = [], loc: Loc = this.loc): void {
    if (this.#lastErrorAt === this.#position) return;
    this.#lastErrorAt = this.#position;
    const stray = this.#token.kind === 'other';
    this.#sink.error(loc, 'syntax', stray ? `stray '${printable(this.#token.text)}' in program` : message, notes);
  }

  /** Reports an error about something read before: the parser goes on as if nothing were wrong. */
  errorAt(loc: Loc, message: string, code = 'syntax', notes: readonly DiagnosticNote[] = []): void {
    this.#sink.error(loc, code, message, notes);
  }

  /** The place right after the previous token: where something is missing. */
  locAfterPrevious(): Loc {
    const { loc, text } = this.#previous;
    return loc > 0 ? ((loc + text.length) as Loc) : loc;
  }

  #before(): string {
    const { kind, text } = this.#token;
    if (kind === 'end') return ' before end of input';
    if (kind === 'string') return ' before string literal';
    if (kind === 'number') return ` before numeric constant`;
    return ` before '${printable(text)}'`;
  }

  // -------------------------------------------------------------- nesting

  get depth(): number {
    return this.#depth;
  }

  /** One level deeper in the tree; each call is undone by `leave`, or by recovery. */
  enter(levels = 1): void {
    this.#depth += levels;
    if (this.#depth > this.#deepest) this.#note(this.#depth);
  }

  leave(levels = 1): void {
    this.#depth -= levels;
  }

  restoreDepth(depth: number): void {
    this.#depth = depth;
    this.#deepest = depth;
  }

  /** Starts to measure how high the next construct is; returns what `endMeasure` takes. */
  startMeasure(): number {
    const deepest = this.#deepest;
    this.#deepest = this.#depth;
    return deepest;
  }

  endMeasure(outer: number): void {
    if (outer > this.#deepest) this.#deepest = outer;
  }

  /** What was read since `startMeasure` becomes part of one more node. */
  wrap(): void {
    this.#note(this.#deepest + 1);
  }

  #note(deepest: number): void {
    this.#deepest = deepest;
    if (deepest <= NESTING_LIMIT) return;
    this.errorHere(`nested too deeply: more than ${NESTING_LIMIT} levels`);
    throw new SyntaxFault(true);
  }
}

/** A token's text for a message: short, and without control characters. */
function printable(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 37)}...` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is made visible
  return short.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/**
 * Macro expansion (C11 6.10.3), by gcc's method. The replacement of a macro is a context on a stack; tokens are read
 * from the topmost context, and from the file below them all. A macro is disabled while its context is on the stack;
 * its name met then is marked `noExpand` for good, which is the standard's "painted blue". An argument is expanded in a
 * context of its own with a barrier at its end, so that it is expanded as if it were the rest of the file.
 *
 * What the standard leaves open (a function-like name whose arguments lie beyond the end of its context) comes out as
 * in gcc: contexts passed on the way to the `(` are finished, and their macros enabled again.
 *
 * Hostile macros are refused, not endured: the work of one outermost expansion, the depth of contexts and of nested
 * argument expansions are bounded.
 */

import type { Loc, SourceMap } from '../../support/source.ts';
import type { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import type { Fail } from './fatal.ts';
import type { FunctionMacro, Macro } from './macro.ts';
import type { DefinedMacros } from './macro-table.ts';
import { type Argument, Substitution } from './substitute-arguments.ts';

/** Where the expander gets the tokens that no macro made. */
export interface TokenInput {
  /**
   * The next token; of kind 'end' at the end of the input, of the file (inside arguments) or of the directive's line.
   */
  next(inArguments: boolean): PreprocessingToken;
  nextIsOpenParenthesis(): boolean;
  /** The token that a built-in macro stands for. */
  builtin(macro: Macro, use: PreprocessingToken): PreprocessingToken;
}

export interface ExpansionLimits {
  /** Tokens made or moved by one outermost expansion. */
  readonly expansionTokens: number;
  /** Tokens made or moved by all expansions of a run. */
  readonly totalTokens: number;
  /** Macros open inside one another. */
  readonly contexts: number;
  /** Arguments expanded inside one another: the only recursion here. */
  readonly argumentDepth: number;
}

export const DEFAULT_EXPANSION_LIMITS: ExpansionLimits = {
  expansionTokens: 2_000_000,
  totalTokens: 10_000_000,
  contexts: 2_000,
  argumentDepth: 400,
};

interface Context {
  readonly tokens: readonly PreprocessingToken[];
  index: number;
  /** The macro to enable when the context is finished. */
  readonly macro: Macro | null;
  /** Reading stops at its end, rather than going on below. */
  readonly barrier: boolean;
}

export class MacroExpander {
  readonly #input: TokenInput;
  readonly #macros: DefinedMacros;
  readonly #fail: Fail;
  readonly #limits: ExpansionLimits;
  readonly #substitution: Substitution;
  readonly #contexts: Context[] = [];
  #argumentDepth = 0;
  #expansionWork = 0;
  #totalWork = 0;
  /** White space that stood before macros that expanded to nothing: it passes to the next token. */
  #carriedSpace = false;
  #carriedLineStart = false;

  constructor(
    input: TokenInput,
    macros: DefinedMacros,
    sources: SourceMap,
    texts: TextTable,
    fail: Fail,
    limits: ExpansionLimits,
  ) {
    this.#input = input;
    this.#macros = macros;
    this.#fail = fail;
    this.#limits = limits;
    this.#substitution = new Substitution(sources, texts, fail, {
      expand: (argument) => this.#expandArgument(argument),
      work: (amount, loc) => this.#work(amount, loc),
    });
  }

  /** The next token after expansion. */
  next(): PreprocessingToken {
    for (;;) {
      const token = this.#takeCarried();
      if (token.kind !== 'identifier') return token;
      const macro = this.#macros.get(token.text);
      if (macro === undefined || token.noExpand) return token;
      if (macro.disabled) return { ...token, noExpand: true };
      if (!this.#enter(macro, token)) return token;
    }
  }

  /** The next token as it stands: for `defined X`, header names and arguments. */
  take(inArguments = false): PreprocessingToken {
    const contexts = this.#contexts;
    while (contexts.length > 0) {
      const top = contexts[contexts.length - 1] as Context;
      if (top.index < top.tokens.length) return top.tokens[top.index++] as PreprocessingToken;
      if (top.barrier) return END;
      this.#pop();
    }
    return this.#input.next(inArguments);
  }

  /** Whether tokens made by macros are still to be read before those of the file. */
  get insideExpansion(): boolean {
    return this.#contexts.some((context) => context.index < context.tokens.length);
  }

  /** Forgets what is left of expansions: those of a directive end with its line. */
  dropExpansions(): void {
    while (this.#contexts.length > 0) this.#pop();
  }

  /** Reads `tokens` next, as if they stood in the file. */
  unread(tokens: readonly PreprocessingToken[]): void {
    this.#contexts.push({ tokens, index: 0, macro: null, barrier: false });
  }

  /** The expansion of a list of tokens on its own. */
  expandAll(tokens: readonly PreprocessingToken[]): PreprocessingToken[] {
    return this.#expandArgument(tokens);
  }

  #takeCarried(): PreprocessingToken {
    const token = this.take();
    if (!this.#carriedSpace && !this.#carriedLineStart) return token;
    const spaceBefore = token.spaceBefore || this.#carriedSpace;
    const lineStart = token.lineStart || this.#carriedLineStart;
    this.#carriedSpace = false;
    this.#carriedLineStart = false;
    return { ...token, spaceBefore, lineStart };
  }

  #pop(): void {
    const context = this.#contexts.pop();
    if (context?.macro) context.macro.disabled = false;
  }

  /** Opens the expansion of a macro used at `use`; false when it is not to be expanded there. */
  #enter(macro: Macro, use: PreprocessingToken): boolean {
    if (this.#contexts.length === 0 && this.#argumentDepth === 0) this.#expansionWork = 0;
    if (macro.kind === 'builtin') {
      this.#push([this.#input.builtin(macro, use)], null, use.loc);
      return true;
    }
    if (macro.kind === 'object') {
      this.#push(this.#substitution.run(macro, use, []), macro, use.loc, use);
      return true;
    }
    if (!this.#nextIsOpenParenthesis()) return false;
    const collected = this.#collectArguments(macro, use);
    if (!collected) return false;
    this.#push(this.#substitution.run(macro, use, collected), macro, use.loc, use);
    return true;
  }

  #push(tokens: readonly PreprocessingToken[], macro: Macro | null, loc: Loc, use?: PreprocessingToken): void {
    this.#work(tokens.length + 1, loc);
    if (tokens.length === 0 && use) {
      this.#carriedSpace ||= use.spaceBefore;
      this.#carriedLineStart ||= use.lineStart;
      return;
    }
    if (this.#contexts.length >= this.#limits.contexts) {
      this.#fail.fatal(loc, 'macro-limit', `macros nested more than ${this.#limits.contexts} deep`);
    }
    if (macro) macro.disabled = true;
    this.#contexts.push({ tokens, index: 0, macro, barrier: false });
  }

  #work(amount: number, loc: Loc): void {
    this.#expansionWork += amount;
    this.#totalWork += amount;
    if (this.#expansionWork > this.#limits.expansionTokens) {
      const limit = this.#limits.expansionTokens;
      this.#fail.fatal(loc, 'macro-limit', `the expansion of this macro takes more than ${limit} tokens`);
    }
    if (this.#totalWork > this.#limits.totalTokens) {
      const limit = this.#limits.totalTokens;
      this.#fail.fatal(loc, 'macro-limit', `macro expansion takes more than ${limit} tokens in all`);
    }
  }

  /** Looks past finished contexts, which are closed. */
  #nextIsOpenParenthesis(): boolean {
    for (;;) {
      const top = this.#contexts.at(-1);
      if (top === undefined) return this.#input.nextIsOpenParenthesis();
      const token = top.tokens[top.index];
      if (token) return token.text === '(' && token.kind === 'punctuator';
      if (top.barrier) return false;
      this.#pop();
    }
  }

  /** The arguments of an invocation, from its `(` to its `)`; null after a reported fault. */
  #collectArguments(macro: FunctionMacro, use: PreprocessingToken): Argument[] | null {
    this.take(true);
    const lists: PreprocessingToken[][] = [[]];
    let depth = 0;
    for (;;) {
      const token = this.#markDisabled(this.take(true));
      if (token.kind === 'end') {
        const message = `unterminated argument list invoking macro '${macro.name}'`;
        this.#fail.sink.error(use.loc, 'macro-arguments', message, [{ loc: macro.loc, message: 'defined here' }]);
        return null;
      }
      if (token.kind === 'punctuator') {
        if (token.text === '(') depth++;
        else if (token.text === ')' && depth-- === 0) break;
        else if (token.text === ',' && depth === 0 && !(macro.variadic && lists.length === macro.parameters.length)) {
          lists.push([]);
          continue;
        }
      }
      this.#work(1, use.loc);
      (lists.at(-1) as PreprocessingToken[]).push(token);
    }
    return this.#matchArguments(macro, use, lists);
  }

  #markDisabled(token: PreprocessingToken): PreprocessingToken {
    if (token.kind !== 'identifier' || token.noExpand) return token;
    return this.#macros.get(token.text)?.disabled ? { ...token, noExpand: true } : token;
  }

  #matchArguments(
    macro: FunctionMacro,
    use: PreprocessingToken,
    lists: readonly (readonly PreprocessingToken[])[],
  ): Argument[] | null {
    const wanted = macro.parameters.length;
    const given = wanted === 0 && lists.length === 1 && lists[0]?.length === 0 ? 0 : lists.length;
    const omitted = macro.variadic && given === wanted - 1;
    if (given !== wanted && !omitted) {
      const message = `macro '${macro.name}' requires ${wanted} arguments, but ${given} given`;
      this.#fail.sink.error(use.loc, 'macro-arguments', message, [{ loc: macro.loc, message: 'defined here' }]);
      return null;
    }
    const result = lists
      .slice(0, given)
      .map((tokens): Argument => ({ tokens, expanded: null, spelled: null, omitted: false }));
    if (omitted) result.push(OMITTED);
    if (macro.variadic && wanted === 1 && lists[0]?.length === 0) return [OMITTED];
    return result;
  }

  #expandArgument(tokens: readonly PreprocessingToken[]): PreprocessingToken[] {
    const loc = tokens[0]?.loc;
    if (loc === undefined) return [];
    if (this.#argumentDepth >= this.#limits.argumentDepth) {
      this.#fail.fatal(loc, 'macro-limit', `macro arguments nested more than ${this.#limits.argumentDepth} deep`);
    }
    this.#argumentDepth++;
    this.#contexts.push({ tokens, index: 0, macro: null, barrier: true });
    const result: PreprocessingToken[] = [];
    for (let token = this.next(); token.kind !== 'end'; token = this.next()) result.push(token);
    this.#contexts.pop();
    this.#argumentDepth--;
    this.#work(result.length, loc);
    return result;
  }
}

/** Never changed: its expansion and its spelling are known. */
const OMITTED: Argument = { tokens: [], expanded: [], spelled: '', omitted: true };

const END: PreprocessingToken = {
  kind: 'end',
  text: '',
  loc: 0 as Loc,
  spaceBefore: false,
  lineStart: false,
  noExpand: false,
};

/**
 * One expansion of one macro: its replacement list with the arguments put in, `#` and `##` done (C11 6.10.3.1 to
 * 6.10.3.3, `__VA_OPT__` of C23, GNU's `, ## __VA_ARGS__`). An empty operand of `##` is the standard's placemarker;
 * here it is no token at all but the knowledge that nothing stands on that side.
 *
 * Every token made gets a place that knows both where it is spelled and where the macro was used.
 */

import type { Loc, SourceMap } from '../../support/source.ts';
import type { TextTable } from '../lex/text-table.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import type { Fail } from './fatal.ts';
import type { FunctionMacro, ObjectMacro, ReplacementItem } from './macro.ts';
import { pasteTokens } from './paste-tokens.ts';

export interface Argument {
  readonly tokens: readonly PreprocessingToken[];
  /** Its expansion, once it was needed. Only `Substitution` sets it. */
  expanded: readonly PreprocessingToken[] | null;
  /** Its spelling in a string literal, likewise. */
  spelled: string | null;
  /** The variable arguments are missing altogether, rather than empty. */
  readonly omitted: boolean;
}

/** What substitution needs of the expander. */
export interface SubstitutionHooks {
  expand(tokens: readonly PreprocessingToken[]): readonly PreprocessingToken[];
  /** Counts tokens about to be made, and ends the run when they are too many. */
  work(amount: number, loc: Loc): void;
}

/** A string literal that `#` makes is at most so long: each further `#` may double it. */
const STRING_LIMIT = 1_000_000;
/** So many characters of a string count as one token's work. */
const CHARACTERS_A_TOKEN = 16;

const DIGRAPH_OF: Readonly<Record<string, string>> = {
  '[': '<:',
  ']': ':>',
  '{': '<%',
  '}': '%>',
  '#': '%:',
  '##': '%:%:',
};

export class Substitution {
  readonly #sources: SourceMap;
  readonly #texts: TextTable;
  readonly #fail: Fail;
  readonly #hooks: SubstitutionHooks;

  constructor(sources: SourceMap, texts: TextTable, fail: Fail, hooks: SubstitutionHooks) {
    this.#sources = sources;
    this.#texts = texts;
    this.#fail = fail;
    this.#hooks = hooks;
  }

  /** The tokens that take the place of the macro's use, to be rescanned. */
  run(macro: ObjectMacro | FunctionMacro, use: PreprocessingToken, args: readonly Argument[]): PreprocessingToken[] {
    const made = this.#items(macro, macro.items, use, args);
    const first = made[0];
    if (first) made[0] = { ...first, spaceBefore: use.spaceBefore, lineStart: use.lineStart };
    return made;
  }

  #items(
    macro: ObjectMacro | FunctionMacro,
    items: readonly ReplacementItem[],
    use: PreprocessingToken,
    args: readonly Argument[],
  ): PreprocessingToken[] {
    const made: PreprocessingToken[] = [];
    let paste = false;
    let hasLeft = false;
    let carriedSpace = false;
    for (let at = 0; at < items.length; at++) {
      const item = items[at] as ReplacementItem;
      if (paste && isVariablePart(macro, item) && made.at(-1)?.text === ',' && items[at - 1]?.token.text === ',') {
        // GNU: the comma goes with arguments that are missing, and is never pasted to those that are not.
        if (args.at(-1)?.omitted) made.pop();
        paste = false;
      }
      const produced = this.#produce(macro, item, paste || (items[at - 1]?.pasteNext ?? false), use, args);
      const left = made.at(-1);
      if (paste && hasLeft && left && produced[0]) {
        made.splice(-1, 1, ...pasteTokens(left, produced[0], this.#texts, this.#sources, this.#fail.sink));
        append(made, produced, 1);
      } else {
        const first = made.length;
        append(made, produced, 0);
        if (carriedSpace && made[first]) made[first] = { ...made[first], spaceBefore: true };
        carriedSpace = produced.length === 0 && (carriedSpace || item.token.spaceBefore);
        hasLeft = produced.length > 0 || (paste && hasLeft);
      }
      paste = item.pasteNext;
    }
    return made;
  }

  /** What one item comes to. `pasted`: it is the right operand of `##`, so an argument is taken as it stands. */
  #produce(
    macro: ObjectMacro | FunctionMacro,
    item: ReplacementItem,
    pasted: boolean,
    use: PreprocessingToken,
    args: readonly Argument[],
  ): readonly PreprocessingToken[] {
    switch (item.kind) {
      case 'token':
        return [this.#copy(item.token, item.token.spaceBefore, use.loc, macro.number)];
      case 'parameter': {
        const argument = args[item.index] as Argument;
        const tokens = pasted || item.pasteNext ? argument.tokens : this.#expanded(argument);
        this.#hooks.work(tokens.length, use.loc);
        return tokens.map((token, at) => {
          const space = at === 0 && !pasted ? item.token.spaceBefore : token.spaceBefore || token.lineStart;
          return this.#copy(token, space, use.loc, macro.number);
        });
      }
      case 'stringize': {
        const argument = args[item.index] as Argument;
        argument.spelled ??= this.#spell(argument.tokens, use.loc);
        return [this.#stringize(argument.spelled, item.token, use, macro.number)];
      }
      case 'va-opt': {
        const present = this.#expanded(args.at(-1) as Argument).length > 0;
        const inner = present ? this.#items(macro, item.items, use, args) : [];
        if (item.stringize) return [this.#stringize(this.#spell(inner, use.loc), item.token, use, macro.number)];
        if (inner[0]) inner[0] = { ...inner[0], spaceBefore: item.token.spaceBefore };
        return inner;
      }
    }
  }

  #expanded(argument: Argument): readonly PreprocessingToken[] {
    argument.expanded ??= this.#hooks.expand(argument.tokens);
    return argument.expanded;
  }

  #copy(token: PreprocessingToken, spaceBefore: boolean, use: Loc, macro: number): PreprocessingToken {
    return {
      kind: token.kind,
      text: token.text,
      loc: this.#sources.addExpansion(token.loc, use, macro),
      spaceBefore,
      lineStart: false,
      noExpand: token.noExpand,
    };
  }

  #stringize(
    spelled: string,
    operator: PreprocessingToken,
    use: PreprocessingToken,
    macro: number,
  ): PreprocessingToken {
    const made = this.#copy(operator, operator.spaceBefore, use.loc, macro);
    let text = spelled;
    this.#hooks.work(Math.ceil(text.length / CHARACTERS_A_TOKEN), use.loc);
    if (endsWithOddBackslashes(text)) {
      this.#fail.sink.warning(use.loc, 'stringize', "invalid string literal, ignoring final '\\'");
      text = text.slice(0, -1);
    }
    return { ...made, kind: 'string', text: `"${text}"` };
  }

  /** An argument's spelling inside a string literal: runs of white space are one space, quotes are escaped. */
  #spell(tokens: readonly PreprocessingToken[], loc: Loc): string {
    const pieces: string[] = [];
    let length = 0;
    for (const token of tokens) {
      if (pieces.length > 0 && (token.spaceBefore || token.lineStart)) pieces.push(' ');
      const quoted = token.kind === 'string' || token.kind === 'character' || /^(?:L|u8?|U)?["']/.test(token.text);
      const piece = quoted ? token.text.replace(/[\\"]/g, '\\$&') : this.#originalSpelling(token);
      pieces.push(piece);
      length += piece.length + 1;
      if (length > STRING_LIMIT) {
        this.#fail.fatal(loc, 'macro-limit', `'#' makes a string of more than ${STRING_LIMIT} characters`);
      }
    }
    return pieces.join('');
  }

  /** A digraph is a string of its own characters, not of those that it stands for. */
  #originalSpelling(token: PreprocessingToken): string {
    const digraph = token.kind === 'punctuator' ? DIGRAPH_OF[token.text] : undefined;
    if (digraph === undefined) return token.text;
    const spelling = this.#sources.spellingOf(token.loc);
    const text = this.#sources.fileOf(spelling)?.text ?? '';
    return text.startsWith(digraph, this.#sources.offsetOf(spelling)) ? digraph : token.text;
  }
}

function isVariablePart(macro: ObjectMacro | FunctionMacro, item: ReplacementItem): boolean {
  return (
    macro.kind === 'function' &&
    macro.variadic &&
    item.kind === 'parameter' &&
    item.index === macro.parameters.length - 1
  );
}

function append(made: PreprocessingToken[], produced: readonly PreprocessingToken[], from: number): void {
  for (let at = from; at < produced.length; at++) made.push(produced[at] as PreprocessingToken);
}

function endsWithOddBackslashes(text: string): boolean {
  let start = text.length;
  while (text.charAt(start - 1) === '\\') start--;
  return (text.length - start) % 2 === 1;
}

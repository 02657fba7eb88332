/**
 * Macros and how a `#define` becomes one. The replacement list is analysed once, at its definition, into items that say
 * what expansion has to do: copy a token, put an argument (expanded, or raw beside `##`), make a string of it, or treat
 * a `__VA_OPT__` group. Expansion (expand-macros.ts) then only walks the items.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc } from '../../support/source.ts';
import type { PreprocessingToken } from '../lex/token.ts';

interface ItemBase {
  /** The token of the definition: where the item is spelled, and whether white space stands before it. */
  readonly token: PreprocessingToken;
  /** `##` follows: the item's last token is pasted to the next item's first one. */
  readonly pasteNext: boolean;
}

export type ReplacementItem =
  | (ItemBase & { readonly kind: 'token' })
  | (ItemBase & { readonly kind: 'parameter'; readonly index: number })
  | (ItemBase & { readonly kind: 'stringize'; readonly index: number })
  | (ItemBase & { readonly kind: 'va-opt'; readonly items: readonly ReplacementItem[]; readonly stringize: boolean });

interface MacroBase {
  readonly name: string;
  readonly loc: Loc;
  /** Its number in the SourceMap's table of macro names. */
  readonly number: number;
  /** True while its expansion is being rescanned. Only the expander changes it. */
  disabled: boolean;
}

export interface ObjectMacro extends MacroBase {
  readonly kind: 'object';
  readonly body: readonly PreprocessingToken[];
  readonly items: readonly ReplacementItem[];
}

export interface FunctionMacro extends MacroBase {
  readonly kind: 'function';
  readonly parameters: readonly string[];
  /** The last parameter takes all remaining arguments. */
  readonly variadic: boolean;
  readonly body: readonly PreprocessingToken[];
  readonly items: readonly ReplacementItem[];
}

/** `__LINE__` and the like: computed at each use. */
export interface BuiltinMacro extends MacroBase {
  readonly kind: 'builtin';
}

export type Macro = ObjectMacro | FunctionMacro | BuiltinMacro;

interface Signature {
  readonly parameters: readonly string[];
  readonly variadic: boolean;
  /** How many tokens of the line it takes, with both parentheses. */
  readonly length: number;
}

/**
 * The macro defined by the tokens that follow its name in the directive's line, or null after a reported fault.
 * `number` is the name's number in the SourceMap.
 */
export function parseMacro(
  name: PreprocessingToken,
  line: readonly PreprocessingToken[],
  number: number,
  sink: DiagnosticSink,
): Macro | null {
  const base = { name: name.text, loc: name.loc, number, disabled: false };
  if (line[0]?.text !== '(' || line[0].spaceBefore) {
    if (line[0] && !line[0].spaceBefore && line[0].kind !== 'end') {
      sink.warning(line[0].loc, 'missing-space', 'missing white space after the macro name');
    }
    const items = parseItems(line, null, sink);
    return items && { kind: 'object', ...base, body: line, items };
  }
  const signature = parseSignature(name, line, sink);
  if (!signature) return null;
  const body = line.slice(signature.length);
  const items = parseItems(body, signature, sink);
  const { parameters, variadic } = signature;
  return items && { kind: 'function', ...base, parameters, variadic, body, items };
}

function parseSignature(
  name: PreprocessingToken,
  line: readonly PreprocessingToken[],
  sink: DiagnosticSink,
): Signature | null {
  const parameters: string[] = [];
  const known = new Set<string>();
  const fault = (at: PreprocessingToken | undefined, message: string) => {
    sink.error((at ?? name).loc, 'macro-parameters', message);
    return null;
  };
  if (line[1]?.text === ')') return { parameters, variadic: false, length: 2 };
  for (let at = 1; ; ) {
    const token = line[at++];
    if (token?.text === '...') {
      parameters.push('__VA_ARGS__');
      if (line[at]?.text !== ')') return fault(line[at], "expected ')' after '...' in the macro's parameters");
      return { parameters, variadic: true, length: at + 1 };
    }
    if (token?.kind !== 'identifier') return fault(token, 'expected a parameter name in the macro definition');
    if (token.text === '__VA_ARGS__' || token.text === '__VA_OPT__') {
      return fault(token, `'${token.text}' cannot be the name of a parameter`);
    }
    if (known.has(token.text)) return fault(token, `duplicate macro parameter '${token.text}'`);
    known.add(token.text);
    parameters.push(token.text);
    const after = line[at++];
    if (after?.text === ')') return { parameters, variadic: false, length: at };
    if (after?.text === '...' && line[at]?.text === ')') return { parameters, variadic: true, length: at + 1 };
    if (after?.text !== ',') return fault(after, "expected ',' or ')' in the macro's parameters");
  }
}

/** The replacement list as items; null after a reported fault. `signature` is null for object-like macros. */
function parseItems(
  body: readonly PreprocessingToken[],
  signature: Signature | null,
  sink: DiagnosticSink,
): ReplacementItem[] | null {
  const items: ReplacementItem[] = [];
  const indexOf = new Map(signature?.parameters.map((parameter, index) => [parameter, index]));
  for (let at = 0; at < body.length; ) {
    const token = body[at] as PreprocessingToken;
    if (token.text === '##' && token.kind === 'punctuator') {
      sink.error(token.loc, 'paste-at-end', "'##' cannot appear at either end of a macro expansion");
      return null;
    }
    const stringize = signature !== null && token.text === '#' && token.kind === 'punctuator';
    if (stringize) at++;
    const operand = body[at++];
    let item = operand ? parseItem(operand, token, stringize, indexOf) : null;
    if (operand?.text === '__VA_OPT__' && signature?.variadic) {
      const close = closingParenthesis(body, at);
      const group = body.slice(at + 1, close);
      const nested = group.find((inside) => inside.text === '__VA_OPT__');
      if (nested) sink.error(nested.loc, 'va-opt', "'__VA_OPT__' may not appear in a '__VA_OPT__'");
      const inner = close < 0 || nested ? null : parseItems(group, signature, sink);
      if (close < 0) sink.error(operand.loc, 'va-opt', "'__VA_OPT__' needs a parenthesised list of tokens");
      if (!inner) return null;
      item = { kind: 'va-opt', token, pasteNext: false, items: inner, stringize };
      at = close + 1;
    }
    if (!item) {
      sink.error(token.loc, 'stringize', "'#' is not followed by a macro parameter");
      return null;
    }
    const pasteNext = body[at]?.text === '##' && body[at]?.kind === 'punctuator' && at + 1 < body.length;
    if (pasteNext) while (body[at]?.text === '##' && at + 1 < body.length) at++;
    items.push(pasteNext ? { ...item, pasteNext } : item);
  }
  return items;
}

function parseItem(
  operand: PreprocessingToken,
  token: PreprocessingToken,
  stringize: boolean,
  indexOf: ReadonlyMap<string, number>,
): ReplacementItem | null {
  const index = operand.kind === 'identifier' ? indexOf.get(operand.text) : undefined;
  if (stringize) return index === undefined ? null : { kind: 'stringize', token, pasteNext: false, index };
  if (index === undefined) return { kind: 'token', token, pasteNext: false };
  return { kind: 'parameter', token, pasteNext: false, index };
}

/** The index of the `)` that matches the `(` expected at `open`, or -1. */
function closingParenthesis(body: readonly PreprocessingToken[], open: number): number {
  if (body[open]?.text !== '(') return -1;
  let depth = 0;
  for (let at = open; at < body.length; at++) {
    if (body[at]?.text === '(') depth++;
    else if (body[at]?.text === ')' && --depth === 0) return at;
  }
  return -1;
}

/** Whether two definitions are the same in the sense of C11 6.10.3 p1, so that redefining is no fault. */
export function sameMacro(a: Macro, b: Macro): boolean {
  if (a.kind === 'builtin' || b.kind === 'builtin' || a.kind !== b.kind || a.body.length !== b.body.length)
    return false;
  if (a.kind === 'function' && b.kind === 'function') {
    if (a.variadic !== b.variadic || a.parameters.join() !== b.parameters.join()) return false;
  }
  return a.body.every((token, at) => {
    const other = b.body[at] as PreprocessingToken;
    return token.text === other.text && (at === 0 || token.spaceBefore === other.spaceBefore);
  });
}

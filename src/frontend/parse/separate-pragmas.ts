/**
 * Pragmas with a meaning. The preprocessor leaves them among the tokens; here they are taken out, so that the grammar
 * need not know that they may stand anywhere. Of `#pragma pack`, the alignment limit for the members of the records
 * that follow, the value in force at each token is remembered; `#pragma weak` is of a name, wherever it is declared.
 */

import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Token } from '../lex/token.ts';
import type { WeakPragma } from './ast.ts';

interface PackChange {
  /** The first token (by its index without pragmas) for which the value holds. */
  readonly index: number;
  readonly value: number | null;
}

export interface SeparatedTokens {
  readonly tokens: readonly Token[];
  readonly packChanges: readonly PackChange[];
  readonly weakPragmas: readonly WeakPragma[];
}

export function separatePragmas(tokens: readonly Token[], sink: DiagnosticSink): SeparatedTokens {
  if (!tokens.some((token) => token.kind === 'pragma')) return { tokens, packChanges: [], weakPragmas: [] };
  const others: Token[] = [];
  const packChanges: PackChange[] = [];
  const weakPragmas: WeakPragma[] = [];
  const stack: { readonly name: string | null; readonly value: number | null }[] = [];
  let value: number | null = null;
  for (const token of tokens) {
    if (token.kind !== 'pragma') {
      others.push(token);
      continue;
    }
    const weak = /^#pragma\s+weak\s+(\w+)(?:\s*=\s*(\w+))?\s*$/.exec(token.text);
    if (weak) {
      weakPragmas.push({ name: weak[1] ?? '', target: weak[2] ?? null, loc: token.loc });
      continue;
    }
    const next = applyPack(token, value, stack, sink);
    if (next !== undefined) packChanges.push({ index: others.length, value: next });
    if (next !== undefined) value = next;
  }
  return { tokens: others, packChanges, weakPragmas };
}

/** The limit in force at a token, or null for none. */
export function packAt(changes: readonly PackChange[], index: number): number | null {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as PackChange).index <= index) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1]?.value ?? null;
}

/** The new value after `pack(…)`, undefined when the pragma is not understood (and a warning was given). */
function applyPack(
  pragma: Token,
  value: number | null,
  stack: { readonly name: string | null; readonly value: number | null }[],
  sink: DiagnosticSink,
): number | null | undefined {
  const match = /^#pragma\s+pack\s*\(\s*([^)]*?)\s*\)\s*$/.exec(pragma.text);
  const parts = match?.[1] ? match[1].split(/\s*,\s*/) : [];
  const malformed = () => void sink.warning(pragma.loc, 'pragma', `'${pragma.text}' is not understood and ignored`);
  if (!match) return malformed();
  const action = parts[0] === 'push' || parts[0] === 'pop' ? parts.shift() : undefined;
  const name = action && /^[A-Za-z_]/.test(parts[0] ?? '') ? (parts.shift() ?? null) : null;
  const number = parts.shift();
  if (parts.length > 0 || (number !== undefined && !/^(0|1|2|4|8|16)$/.test(number))) return malformed();
  const chosen = number === undefined || number === '0' ? null : Number(number);
  if (action === 'push') {
    stack.push({ name, value });
    return number === undefined ? value : chosen;
  }
  if (action === undefined) return chosen;
  const at = name === null ? stack.length - 1 : stack.findLastIndex((entry) => entry.name === name);
  if (at < 0) return malformed();
  const popped = stack[at]?.value ?? null;
  stack.length = at;
  return number === undefined ? popped : chosen;
}

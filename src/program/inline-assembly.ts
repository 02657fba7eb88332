/**
 * Inline assembly that is understood: what only delays, and fences. Everything else is refused by those who ask,
 * because its effect is unknown. An instruction that orders less than any fence of C11 counts as the weakest that
 * orders more, but for those that say nothing of data (`isb`, `fence.i`): they are delays.
 */

import type { MemoryOrder } from './memory-order.ts';
import type { AsmStatement } from './tree.ts';

export type AsmMeaning =
  | { readonly kind: 'nothing' | 'unknown' }
  | { readonly kind: 'fence'; readonly order: MemoryOrder };

const DELAY = /^(|nop|pause|rep(; ?| )?nop|yield|wfe|sev|isb( sy)?|isync|fence\.i)$/;

/** Of x86, ARM, POWER, RISC-V and SPARC. */
const FENCES: readonly (readonly [pattern: RegExp, order: MemoryOrder])[] = [
  [/^lock;? ?(addl|orl) \$(0x)?0,\s*(-?\d+)?\(%%?[er]?sp\)$/, 'seq_cst'],
  [/^(lfence|d[ms]b (ish|osh|nsh)?ld|fence\s+i?r\s*,\s*i?o?rw?|membar #LoadLoad)$/, 'acquire'],
  [/^(sfence|d[ms]b (ish|osh|nsh)?st|eieio|fence\s+i?o?r?w\s*,\s*o?w|membar #StoreStore)$/, 'release'],
  [/^lwsync$/, 'acq_rel'],
  [/^(mfence|d[ms]b( ish| osh| nsh| sy| )?|(hw)?sync|fence(\s+\w+\s*,\s*\w+)?|membar .*)$/, 'seq_cst'],
];

export function meaningOfAsm(statement: AsmStatement): AsmMeaning {
  // An output of an empty template keeps its value only if it is also an input (`+r`, or a matching constraint).
  const keepsOutputs = statement.outputs.every((output) => output.constraint.startsWith('+'));
  if (!keepsOutputs || statement.labels.length > 0) return { kind: 'unknown' };
  const template = statement.template
    .split(/[\n;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('; ');
  if (DELAY.test(template)) return { kind: 'nothing' };
  const fence = FENCES.find(([pattern]) => pattern.test(template));
  return fence ? { kind: 'fence', order: fence[1] } : { kind: 'unknown' };
}

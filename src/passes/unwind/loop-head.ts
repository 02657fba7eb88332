/** Loops whose condition takes statements of its own: `while (1) { { t = …; if (!t) break; } … }`. */

import type { BlockStatement, Statement } from '../../program/tree.ts';
import { itemsOf } from '../../program/visit-tree.ts';

/** The block at the head of the body that evaluates the condition; null if the condition stands in its place. */
export function headOf(loop: Extract<Statement, { kind: 'while' }>): BlockStatement | null {
  if (loop.condition.kind !== 'integer') return null;
  const [head] = itemsOf(loop.body);
  return head?.kind === 'block' && endsInBreak(head.items) ? head : null;
}

/** Whether the last of the statements is `if (…) break;`. */
export function endsInBreak(items: readonly Statement[]): boolean {
  const last = items[items.length - 1];
  if (last?.kind !== 'if' || last.otherwise) return false;
  const [only] = itemsOf(last.then);
  return only?.kind === 'break';
}

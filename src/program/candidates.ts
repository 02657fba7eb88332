/**
 * Candidates for invariants in Code: an assumption `condition | 1`, which holds whatever the condition is. Engines that
 * look for no invariants need not know of it.
 */

import type { Value } from './code.ts';

export function asCandidate(condition: Value): Value {
  const { type } = condition;
  return { kind: 'binary', type, operation: 'or', left: condition, right: { kind: 'constant', type, value: 1n } };
}

/** The condition of a candidate; null for other assumptions. */
export function candidateOf(assumed: Value): Value | null {
  if (assumed.kind !== 'binary' || assumed.operation !== 'or') return null;
  return assumed.right.kind === 'constant' && assumed.right.value === 1n ? assumed.left : null;
}

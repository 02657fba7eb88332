/** The invariant of a proof as text: who is where, and what holds then. */

import { type InvariantThread, type ProofInvariant, printFact } from '../outcome/invariant.ts';

/** One line a fact, those about nobody's place first; `most` of them. */
export function printInvariant(invariant: ProofInvariant, most = Number.POSITIVE_INFINITY): string[] {
  const { facts, threads } = invariant;
  const lines = facts.slice(0, most).map(printFact);
  if (facts.length > most) lines.push(`… and ${facts.length - most} more (--dump=invariant)`);
  return [...threads.flatMap(printThread), ...lines];
}

function printThread({ name, start, isReplicated }: InvariantThread): string[] {
  if (isReplicated) return [`T, U, …: any different threads that run ${start}`];
  return name === 'main' ? [] : [`${name}: the thread that runs ${start}`];
}

/**
 * The models' tables of threads, by which one waits for another. `pthread_join` assumes
 *
 *     finished[n] || status[n] != JOINABLE
 *
 * in an atomic section. If thread n has been created before, and its status is never anything but joinable or joined,
 * it has finished when control comes past this.
 */

import type { BoundedProgram } from '../../program/bounded-program.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isModelPlace } from '../../support/source.ts';
import type { IntegerPart } from './integer-parts.ts';
import type { SectionFacts } from './section-facts.ts';

export const JOINABLE = 1n;
export const JOINED = 2n;

/** A table is null where the program does not have it. */
export interface ThreadTables {
  readonly finished: VariableSymbol | null;
  readonly status: VariableSymbol | null;
}

export function findThreadTables({ globals, sources }: BoundedProgram): ThreadTables {
  const find = (name: string) => {
    for (const item of globals) {
      const isIt = item.kind === 'variable' && item.symbol.name === name && isModelPlace(sources, item.symbol.loc);
      if (isIt) return item.symbol;
    }
    return null;
  };
  return { finished: find('__lazuli_thread_finished'), status: find('__lazuli_thread_status') };
}

/** The thread whose element of a table it is: the elements are as large as the part. */
export function threadOf({ start, size }: IntegerPart): number {
  return start / size;
}

/** The thread that has finished if a condition holds, as long as it has been created; null for other conditions. */
export function waitedFor(condition: Expression, section: SectionFacts, tables: ThreadTables): number | null {
  const threads = new Set<number>();
  let saysFinished = false;
  const stack: Expression[] = [condition];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.kind === 'logical' && at.operator === '||') {
      stack.push(at.left, at.right);
      continue;
    }
    const { part, differsFrom } = unequal(at, section);
    const isFinished = part?.symbol === tables.finished && differsFrom === 0n;
    const isOther = part?.symbol === tables.status && differsFrom === JOINABLE;
    if (part === null || !(isFinished || isOther)) return null;
    threads.add(threadOf(part));
    saysFinished ||= isFinished;
  }
  const [thread] = threads;
  return saysFinished && threads.size === 1 ? (thread ?? null) : null;
}

/** `c != 1`, or `c`, which is `c != 0`. */
function unequal(
  condition: Expression,
  section: SectionFacts,
): { readonly part: IntegerPart | null; readonly differsFrom: bigint } {
  if (condition.kind !== 'comparison' || condition.operator !== '!=' || condition.right.kind !== 'integer') {
    return { part: section.partOf(condition), differsFrom: 0n };
  }
  return { part: section.partOf(condition.left), differsFrom: condition.right.value };
}

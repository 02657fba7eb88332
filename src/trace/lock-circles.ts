/**
 * Circles in the order in which locks are taken, from what concrete runs noted: a chain of threads each of which takes,
 * under one lock, the lock that the next one holds. Such a chain closes into a deadlock if its links can come together:
 * they are of different threads, none of which had ended before another began, and no lock guards two of them (a gate,
 * held in both).
 */

import type { LockEdge } from './interpreter/run-notes.ts';

/** Longer circles are seldom looked at by anybody. */
const LONGEST = 6;
const MOST_CIRCLES = 16;
const MOST_TRIED = 20_000;

/** Each circle of locks once. */
export function findLockCircles(edges: readonly LockEdge[]): LockEdge[][] {
  const from = new Map<string, LockEdge[]>();
  for (const edge of edges) from.set(edge.from, [...(from.get(edge.from) ?? []), edge]);
  const circles = new Map<string, LockEdge[]>();
  let tried = 0;
  const extend = (chain: readonly LockEdge[]): void => {
    if (++tried > MOST_TRIED || circles.size >= MOST_CIRCLES) return;
    const [first, last] = [chain[0] as LockEdge, chain[chain.length - 1] as LockEdge];
    if (last.to === first.from) {
      const key = chain
        .map((edge) => edge.from)
        .sort()
        .join(' ');
      if (!circles.has(key)) circles.set(key, [...chain]);
      return;
    }
    if (chain.length >= LONGEST) return;
    for (const next of from.get(last.to) ?? []) {
      if (chain.some((edge) => edge.from === next.from) || !chain.every((edge) => canMeet(edge, next))) continue;
      extend([...chain, next]);
    }
  };
  for (const edge of edges) extend([edge]);
  return [...circles.values()];
}

function canMeet(a: LockEdge, b: LockEdge): boolean {
  if (a.thread === b.thread) return false;
  const held = new Set([...a.gates, a.from]);
  if ([...b.gates, b.from].some((lock) => held.has(lock))) return false;
  // Times of different runs tell nothing of one another.
  return a.run !== b.run || (!isOver(a, b) && !isOver(b, a));
}

/** Whether the thread of the first link was over, or had not begun, by the time of the second. */
function isOver(a: LockEdge, b: LockEdge): boolean {
  return (a.time[a.thread] ?? 0) <= (b.time[a.thread] ?? 0);
}

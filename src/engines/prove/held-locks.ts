/** Which locks a thread holds at each of its nodes, by where it takes and gives them. */

import type { AnyNode, Body } from './graph.ts';

/** Before each node; null where it is not reached. */
export type Held = readonly (ReadonlySet<number> | null)[];

export interface LockUse {
  readonly lock: number;
  /** From begin to end, or the only node: the last of them has taken the lock, or given it. */
  readonly nodes: readonly number[];
}

/** `certainly`: on all ways to the node; `possibly`: on some. */
export function findHeld(
  { nodes, entry }: Pick<Body, 'nodes' | 'entry'>,
  takes: readonly LockUse[],
  gives: readonly LockUse[],
  meet: 'certainly' | 'possibly',
): Held {
  const lastNodes = (uses: readonly LockUse[]) => new Map(uses.map((use) => [use.nodes.at(-1) as number, use.lock]));
  const [taken, given] = [lastNodes(takes), lastNodes(gives)];
  const held: (Set<number> | null)[] = nodes.map(() => null);
  held[entry] = new Set();
  const work = [entry];
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const after = new Set(held[at]);
    const [take, give] = [taken.get(at), given.get(at)];
    if (take !== undefined) after.add(take);
    if (give !== undefined) after.delete(give);
    for (const next of (nodes[at] as AnyNode).next) {
      const before = held[next];
      const size = before?.size;
      if (!before) held[next] = new Set(after);
      else if (meet === 'possibly') for (const lock of after) before.add(lock);
      else for (const lock of before) if (!after.has(lock)) before.delete(lock);
      if (held[next]?.size !== size) work.push(next);
    }
  }
  return held;
}

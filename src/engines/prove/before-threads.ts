/** Nodes of main that run before it has created any thread. */

import { type Body, reachableFrom } from './graph.ts';

export function beforeThreads({ nodes }: Body): Set<number> {
  const spawns = nodes.flatMap((node, i) => (node.kind === 'spawn' ? [i] : []));
  const after = reachableFrom(nodes, spawns);
  return new Set(nodes.flatMap((_, i) => (after.has(i) ? [] : [i])));
}

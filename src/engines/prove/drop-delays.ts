/**
 * Loops in which a thread only works for itself, and of which nothing is needed behind them: it waits a while before it
 * looks again (`while (delay--) ;`), or draws inputs until it has enough of that. They are left out, as if they had
 * ended, which lets a thread do more than it does: it may never leave such a loop. So they stay where it matters
 * whether threads go on.
 *
 * Left alone: loops that are left to several places, and those whose end says something of what they do not change.
 */

import { type AnyNode, type Body, findLoops, type Model } from './graph.ts';
import { findLive, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';

export function dropDelays(model: Model): void {
  const finder = new VariableFinder(model);
  const users = new VariableUsers(model, finder);
  for (const body of model.bodies) dropFrom(body, finder, users);
}

function dropFrom(body: Body, finder: VariableFinder, users: VariableUsers): void {
  const { nodes } = body;
  const isOwn = nodes.map((node) => {
    const isPlain = node.kind === 'set' || node.kind === 'havoc' || node.kind === 'branch' || node.kind === 'skip';
    return isPlain && [...finder.readBy(node), ...writtenBy(node)].every((id) => users.isPrivate(id));
  });
  const loops = findLoops(nodes.map(({ next }, at) => ({ next: isOwn[at] ? next.filter((to) => isOwn[to]) : [] })));
  if (loops.length === 0) return;
  const live = findLive(body, finder);
  for (const loop of loops) {
    const end = endOf(loop, nodes, finder);
    const written = loop.flatMap((at) => writtenBy(nodes[at] as AnyNode));
    if (end === null || written.some((id) => live[end]?.has(id))) continue;
    for (const at of loop) {
      const { loc, isModel } = nodes[at] as AnyNode;
      nodes[at] = { kind: 'skip', loc, isModel, next: [end] };
    }
  }
}

/** Where the loop is left to, always by what it changes itself; null where that is not so. */
function endOf(loop: readonly number[], nodes: readonly AnyNode[], finder: VariableFinder): number | null {
  const inside = new Set(loop);
  const written = new Set(loop.flatMap((at) => writtenBy(nodes[at] as AnyNode)));
  const exits = loop.filter((at) => (nodes[at] as AnyNode).next.some((next) => !inside.has(next)));
  const ends = new Set(exits.flatMap((at) => (nodes[at] as AnyNode).next.filter((next) => !inside.has(next))));
  const isOwn = exits.every((at) => finder.readBy(nodes[at] as AnyNode).some((id) => written.has(id)));
  const [end] = ends;
  return isOwn && ends.size === 1 && end !== undefined ? end : null;
}

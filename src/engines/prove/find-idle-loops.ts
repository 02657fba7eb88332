/**
 * Whether a thread may go round some loop of the graph for ever and come back to where it was, with everything as it
 * was. It may not where each way round makes some progress: it creates a thread, or adds a constant to a variable of
 * its own that, all over the loop, only grows or only shrinks. All else is taken to change nothing. The model must be
 * one in which waits are kept (`waits` of prepare-model.ts): a loop around a lock is a wait there, and no loop.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { type AnyNode, findLoops, type Model, reachableFrom, type Variable } from './graph.ts';
import { assignedBy, VariableFinder, VariableUsers, writtenBy } from './node-terms.ts';

/** What is narrower comes round soon. */
const LEAST_WIDTH = 8;
/** How far a copy is looked for. */
const MOST_STEPS_BACK = 8;

/** Only of loops among certain nodes, where these are given. */
export function mayIdle(model: Model, isAmong: (body: number, node: number) => boolean = () => true): boolean {
  const users = new VariableUsers(model, new VariableFinder(model));
  return model.bodies.some(({ id, nodes, entry }) => {
    const within = new Set([...reachableFrom(nodes, [entry])].filter((at) => isAmong(id, at)));
    const isEndless = (node: AnyNode, at: number) => node.kind === 'stop' && node.isEndless && within.has(at);
    return nodes.some(isEndless) || mayIdleWithin(model, users, nodes, within);
  });
}

/** Among these nodes only. */
export function mayIdleWithin(
  model: Model,
  users: VariableUsers,
  nodes: readonly AnyNode[],
  within: ReadonlySet<number>,
): boolean {
  const part = nodes.map(({ next }, at) => ({ next: within.has(at) ? next.filter((to) => within.has(to)) : [] }));
  return findLoops(part).some((loop) => {
    const counters = findCounters(model, users, nodes, loop);
    const isProgress = (node: AnyNode) =>
      node.kind === 'spawn' ||
      (node.kind === 'set' && node.isProgress) ||
      writtenBy(node).some((variable) => counters.has(variable));
    const rest = new Set(loop.filter((at) => !isProgress(nodes[at] as AnyNode)));
    return rest.size === loop.length || mayIdleWithin(model, users, nodes, rest);
  });
}

/** The thread's own variables to which the loop does nothing but add, always with the same sign. */
function findCounters(
  model: Model,
  users: VariableUsers,
  nodes: readonly AnyNode[],
  loop: readonly number[],
): ReadonlySet<number> {
  const { variables } = model;
  const signs = new Map<number, Set<number>>();
  for (const at of loop) {
    const node = nodes[at] as AnyNode;
    for (const id of writtenBy(node)) {
      const value = assignedBy(node, id);
      const sign = value === null ? 0 : signAt(model, nodes, at, value, variables[id] as Variable);
      signs.set(id, (signs.get(id) ?? new Set()).add(sign));
    }
  }
  const isCounter = (id: number, found: ReadonlySet<number>) =>
    found.size === 1 && !found.has(0) && users.isPrivate(id) && (variables[id] as Variable).width >= LEAST_WIDTH;
  return new Set([...signs].flatMap(([id, found]) => (isCounter(id, found) ? [id] : [])));
}

/** The same where a copy is added to that was made just before, as `k--` does. */
function signAt(model: Model, nodes: readonly AnyNode[], at: number, value: Term, variable: Variable): number {
  const { graph, variables } = model;
  const sign = signOfSum(graph, value, variable);
  const copied = variables.find(
    ({ term, width }) => width === variable.width && signOfSum(graph, value, { ...variable, term }),
  );
  if (sign !== 0 || copied === undefined) return sign;
  for (let here = at, steps = 0; steps < MOST_STEPS_BACK; steps++) {
    const before = nodes.flatMap(({ next }, each) => (next.includes(here) ? [each] : []));
    const [last] = before;
    if (before.length !== 1 || last === undefined) return 0;
    const node = nodes[last] as AnyNode;
    if (node.kind !== 'set' && node.kind !== 'skip') return 0;
    if (assignedBy(node, copied.id) === variable.term && !writtenBy(node).includes(variable.id))
      return signOfSum(graph, value, copied);
    if (writtenBy(node).some((id) => id === copied.id || id === variable.id)) return 0;
    here = last;
  }
  return 0;
}

/** The sign of the constant that is added to the variable; 0 when the value is no such sum. */
export function signOfSum(graph: TermGraph, value: Term, { term, width }: Variable): number {
  const plain = (each: Term): Term => (graph.operationOf(each) === 'refine' ? plain(graph.operand(each, 0)) : each);
  const sum = plain(value);
  if (graph.operationOf(sum) !== 'add' || plain(graph.operand(sum, 0)) !== term) return 0;
  const constant = graph.constantOf(graph.operand(sum, 1));
  return constant === null ? 0 : Number(BigInt.asIntN(width, constant) > 0n) * 2 - 1;
}

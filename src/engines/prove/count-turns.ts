/**
 * Ghosts that keep what each thread of any number has added to a variable. What threads add in loops, or what they have
 * summed up before, is not told by their places (count-threads.ts); but the passages of the variable
 * (count-passages.ts) are the sum of what each thread has added so far. So each thread has a ghost of its own, to which
 * the same is added in the same instant, and which it keeps when it has ended. Once all threads that were created have
 * added the same, the passages are that times their number (constrain-counts.ts).
 *
 * How much that is, is guessed from a thread that runs alone (run-alone.ts); that it is so when a thread ends is for
 * the invariant to say, which relates the ghost to the thread's own loop counters (guess-relations.ts).
 *
 * Ghosts are sound by themselves: no condition of the program reads them, and they are assigned where something else
 * is.
 */

import { pushAll } from '../../support/push-all.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import type { ThreadWay } from './count-threads.ts';
import type { AnyNode, Body, Model, Turns, Variable } from './graph.ts';
import { guessRelations } from './guess-relations.ts';
import { assignedBy, VariableFinder, writtenBy } from './node-terms.ts';

/** More ghosts cost more than they bring. */
const MOST_GHOSTS = 6;

interface MadeGhost {
  readonly body: Body;
  readonly ghost: number;
  readonly counted: number;
  readonly total: number;
  /** What the thread adds is made of these. */
  readonly amounts: readonly number[];
}

/** After passages are counted, where main sees the threads one by one. */
export function countTurns(model: Model, poll: () => void): void {
  if (model.passages === null || model.peers.length === 0) return;
  const finder = new VariableFinder(model);
  const made: MadeGhost[] = [];
  for (const body of model.bodies) {
    if (!body.isReplicated) continue;
    for (const [total, counted] of model.passages.ghosts) {
      const added = body.nodes.map((node) => amountIn(model, node, counted));
      if (added.every((amount) => amount === null) || !added.every((_, at) => isPlain(model, body, at, counted)))
        continue;
      const ghost = addGhost(model, body, total);
      body.nodes = body.nodes.map((node, at) => withGhost(model, node, ghost, added[at] ?? null));
      const amounts = [...new Set(added.flatMap((amount) => (amount === null ? [] : finder.in(amount))))];
      made.push({ body, ghost: ghost.id, counted, total, amounts });
    }
  }
  const isLarge = made.length > MOST_GHOSTS;
  for (const body of new Set(isLarge ? [] : made.map((each) => each.body))) {
    const own = made.filter((each) => each.body === body);
    const parts = own.flatMap(({ amounts, total }) => amounts.map((variable) => ({ variable, total })));
    const ghosts = own.map(({ ghost, total }) => ({ variable: ghost, total }));
    const last = guessRelations(model, body, [...ghosts, ...parts], poll);
    for (const { ghost, counted } of own) {
      const expected = last?.(ghost) ?? null;
      if (expected === null) continue;
      model.turns.push({ body: body.id, counted, ghost });
      model.expected.set(ghost, expected);
      model.additions.set(ghost, body.id);
    }
  }
}

/** What a node adds to passages; null for nothing, or not told. */
function amountIn({ graph, variables }: Model, node: AnyNode, counted: number): Term | null {
  const value = assignedBy(node, counted);
  return value === null ? null : addedTo((variables[counted] as Variable).term, value, graph);
}

/** It adds what is told, or nothing. */
function isPlain(model: Model, { nodes }: Body, at: number, counted: number): boolean {
  const node = nodes[at] as AnyNode;
  return !writtenBy(node).includes(counted) || amountIn(model, node, counted) !== null;
}

/** What is added once, as it stands there. */
function addedTo(before: Term, after: Term, graph: TermGraph): Term | null {
  if (graph.operationOf(after) !== 'add') return null;
  const [left, right] = graph.operandsOf(after) as [Term, Term];
  if (graph.unrefined(left) === before) return right;
  return graph.unrefined(right) === before ? left : null;
}

function addGhost(model: Model, { id }: Body, total: number): Variable {
  const { name, width } = model.variables[total] as Variable;
  return addVariable(model, { name: `added(${name})`, width, owner: id, kind: 'cell', signed: true });
}

function withGhost({ graph }: Model, node: AnyNode, { id, term }: Variable, amount: Term | null): AnyNode {
  if (node.kind !== 'set' || amount === null) return node;
  return { ...node, assignments: [...node.assignments, { variable: id, value: graph.add(term, amount) }] };
}

/** Passages that are what some rest says and what threads of replicated bodies have added, by thread. */
export interface CountedTurns {
  readonly counted: number;
  readonly turns: readonly Turns[];
}

/**
 * Of the ghosts in the model those for which that is so: every step of such a thread adds to its ghost what it adds to
 * the passages. `own`: the terms of what belongs to the thread whose steps the edges are.
 */
export function findCountedTurns(
  { turns }: Model,
  edges: readonly ThreadWay[],
  shared: ReadonlyMap<number, Term>,
  own: ReadonlyMap<number, Term>,
  graph: TermGraph,
): CountedTurns[] {
  return [...new Set(turns.map(({ counted }) => counted))].flatMap((counted): CountedTurns[] => {
    const about = turns.filter((each) => each.counted === counted);
    const target = shared.get(counted);
    const isExact = edges.every(({ body, values }) => {
      const ghost = about.find((each) => each.body === body)?.ghost;
      const term = ghost === undefined ? undefined : own.get(ghost);
      const kept = (id: number | undefined, before: Term | undefined) =>
        id === undefined || before === undefined ? null : amountsAdded(before, values.get(id) ?? before, graph);
      const [all, mine] = [kept(counted, target), ghost === undefined ? [] : kept(ghost, term)];
      return all !== null && mine !== null && all.join() === mine.join();
    });
    return isExact ? [{ counted, turns: about }] : [];
  });
}

/** All that a step adds to what there was before, perhaps several times; null where it does something else. */
function amountsAdded(before: Term, after: Term, graph: TermGraph): Term[] | null {
  const amounts: Term[] = [];
  const work = [after];
  let times = 0;
  for (let term = work.pop(); term !== undefined; term = work.pop()) {
    const plain = graph.unrefined(term);
    if (plain === before) times++;
    else if (graph.operationOf(plain) === 'add') pushAll(work, graph.operandsOf(plain));
    else amounts.push(plain);
  }
  return times === 1 ? amounts.sort((a, b) => a - b) : null;
}

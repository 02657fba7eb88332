/**
 * Cells in which threads leave their own numbers, as a lock has that of the thread that writes under it. Nobody else
 * has the same number, so that a thread finds its own only where it has left it and has not written something else
 * since: a thread that has just begun is not in a lock. That cannot be said of the threads that a clause speaks of, for
 * the thread whose number the cell has need not be among them; so it is a constraint of every state, like that numbers
 * differ (constrain-numbers.ts).
 *
 * All that is ever written to such a cell are constants that are nobody's number, and the writer's own with a constant
 * added.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { hasValue } from '../../values/value-set.ts';
import type { ProgramSteps } from './find-steps.ts';
import { type AnyNode, type Body, type Model, peersOf, SHARED, threadNumbers, type Variable } from './graph.ts';
import { assignedBy, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

interface OwnMark {
  readonly cell: number;
  /** To the thread's number. */
  readonly added: bigint;
  /** What else it may hold; no number with that added. In fewer bits than there are it might be. */
  readonly constants: readonly bigint[];
}

export interface MarkContext {
  readonly graph: TermGraph;
  readonly model: Model;
  readonly steps: ProgramSteps;
  /** By slot. */
  readonly locals: readonly ReadonlyMap<number, Term>[];
  readonly slotCounters: readonly ReadonlyMap<string, Term>[];
  readonly shared: ReadonlyMap<number, Term>;
  constrain(term: Term): void;
}

export function constrainMarks({ graph, model, steps, locals, slotCounters, shared, constrain }: MarkContext): void {
  const replicated = model.bodies.filter(({ isReplicated, self }) => isReplicated && self !== null);
  if (replicated.length === 0) return;
  for (const { cell, added, constants } of findOwnMarks(model)) {
    const mark = shared.get(cell);
    if (mark === undefined) continue;
    for (const body of replicated) {
      const marked = findMarked(body, cell, model);
      const starts = steps.bodies[body.id]?.starts ?? [];
      const unmarked = starts.filter((start) => !marked.has(start));
      slotCounters.forEach((counters, slot) => {
        const self = locals[slot]?.get(body.self as number);
        if (self === undefined || graph.widthOf(self) !== graph.widthOf(mark)) return;
        const constant = (value: bigint) => graph.constant(graph.widthOf(self), value);
        const own = graph.add(self, constant(firstNumber(model, body) + added));
        const isAt = (places: readonly number[]) =>
          graph.orAll(places.map((start) => counters.get(`${body.id}:${start}`) ?? graph.false));
        constrain(graph.not(graph.and(isAt(unmarked), graph.eq(mark, own))));
        for (const value of constants) constrain(graph.not(graph.and(isAt(starts), graph.eq(own, constant(value)))));
      });
    }
  }
}

/** The number of a thread is what it has in `self`, and this. */
export function firstNumber(model: Model, { id }: Body): bigint {
  return peersOf(model, id)?.first ?? 0n;
}

function findOwnMarks(model: Model): OwnMark[] {
  const { bodies, variables } = model;
  const added = new Map<number, Set<bigint>>();
  const constants = new Map<number, Set<bigint>>();
  const excluded = new Set<number>();
  const note = <T>(found: Map<number, Set<T>>, id: number, value: T) =>
    found.set(id, (found.get(id) ?? new Set()).add(value));
  for (const { id, initial } of variables) note(constants, id, initial);
  for (const body of bodies) {
    const writtenAt = valuesOf(body, model);
    for (const node of body.nodes) {
      for (const id of writtenBy(node)) {
        const { kind, owner } = variables[id] as Variable;
        if (kind !== 'cell' || owner !== SHARED) continue;
        const value = writtenAt(node, id);
        if (value === null) excluded.add(id);
        else if (value.isOwn) note(added, id, value.constant - firstNumber(model, body));
        else note(constants, id, value.constant);
      }
    }
  }
  const numbers = bodies.flatMap(({ id, isReplicated }) => (isReplicated ? [threadNumbers(model, id)] : []));
  return [...added].flatMap(([cell, [first, ...more]]) => {
    const { width } = variables[cell] as Variable;
    const isNumber = (value: bigint) =>
      numbers.some((set) => hasValue(set, BigInt.asUintN(width, value - (first as bigint))));
    if (excluded.has(cell) || more.length > 0 || numbers.some((set) => set.width !== width)) return [];
    const others = [...(constants.get(cell) ?? [])];
    return others.some(isNumber) ? [] : [{ cell, added: first as bigint, constants: others }];
  });
}

/** The nodes before which a thread may have left its number in the cell. */
function findMarked(body: Body, cell: number, model: Model): ReadonlySet<number> {
  const writtenAt = valuesOf(body, model);
  const marked = new Set<number>();
  const work = body.nodes.flatMap((node) => (writtenAt(node, cell)?.isOwn ? [...node.next] : []));
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (marked.has(at)) continue;
    marked.add(at);
    const node = body.nodes[at] as AnyNode;
    const written = writtenAt(node, cell);
    if (written === null || written.isOwn) for (const next of node.next) work.push(next);
  }
  return marked;
}

interface Written {
  /** Added to the thread's number, or all there is. */
  readonly isOwn: boolean;
  readonly constant: bigint;
}

/** What a node assigns to a cell; null where it does not, or something else. */
function valuesOf(body: Body, model: Model): (node: AnyNode, cell: number) => Written | null {
  const { graph, variables } = model;
  const definitions = new Map<number, (Term | null)[]>();
  for (const node of body.nodes) {
    for (const id of writtenBy(node)) {
      if (variables[id]?.kind !== 'register') continue;
      definitions.set(id, [...(definitions.get(id) ?? []), assignedBy(node, id)]);
    }
  }
  const copies = new Map<Term, Term>();
  for (const [id, [only, ...others]] of definitions)
    if (only && others.length === 0) copies.set((variables[id] as Variable).term, only);
  const expand = (term: Term, depth = 0): Term => {
    const rebuilder = new TermRebuilder(graph, graph, (each) => copies.get(each) ?? each);
    const next = rebuilder.rebuild(graph.unrefined(term));
    return next === term || depth > MOST_COPIES ? next : expand(next, depth + 1);
  };
  const self = body.isReplicated && body.self !== null ? (variables[body.self] as Variable).term : null;
  return (node, cell) => {
    const value = assignedBy(node, cell);
    if (value === null) return null;
    const constant = graph.constantOf(value);
    if (constant !== null) return { isOwn: false, constant };
    if (self === null || graph.widthOf(self) !== graph.widthOf(value)) return null;
    const added = addedTo(self, graph.unrefined(expand(value)), graph);
    return added === null ? null : { isOwn: true, constant: added };
  };
}

const MOST_COPIES = 8;

/** The constant that a value adds to the thread's `self`; null where it is something else. */
export function addedTo(self: Term, value: Term, graph: TermGraph): bigint | null {
  if (value === self) return 0n;
  if (graph.operationOf(value) !== 'add' || graph.unrefined(graph.operand(value, 0)) !== self) return null;
  return graph.constantOf(graph.operand(value, 1));
}

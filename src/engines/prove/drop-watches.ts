/**
 * Data races that locks exclude need no search. Who announces an access (watch-races.ts) stands there for ever, and so
 * keeps the locks that he holds. Where all who announce an access to a place hold a common lock, nobody else comes to
 * an access that holds this lock as well: there, the place is not announced. An announcement that nobody looks at any
 * more is dropped, with the choice to make it; standing still for ever is then nothing that a program could do wrong.
 */

import type { Term } from '../../values/terms.ts';
import type { Locks } from './find-locks.ts';
import { type AnyNode, type Model, SHARED, type Variable } from './graph.ts';
import type { Held } from './held-locks.ts';
import { type VariableFinder, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

export function dropWatches(model: Model, finder: VariableFinder, locks: Pick<Locks, 'held' | 'heldAtAll'>): void {
  if (model.watches.size === 0) return;
  const held = new SharedHeld(model, locks.held);
  const heldAtAll = new SharedHeld(model, locks.heldAtAll);
  const seen = new Set<number>();
  for (const { id, nodes } of model.bodies) {
    nodes.forEach((node, at) => {
      if (node.kind === 'set') return;
      // Of those who read under a lock several may be there.
      const isExcluded = (watch: number) =>
        held.haveCommon(watch, heldAtAll.at(id, at)) || heldAtAll.haveCommon(watch, held.at(id, at));
      const watches = finder.readBy(node).filter((variable) => model.watches.has(variable));
      const excluded = node.kind === 'assert' ? watches.filter(isExcluded) : [];
      for (const watch of watches) if (!excluded.includes(watch)) seen.add(watch);
      if (node.kind === 'assert' && excluded.length > 0)
        nodes[at] = { ...node, condition: withoutWatches(model, node.condition, excluded) };
    });
  }
  dropUnseen(model, seen);
}

/** Locks that all share, of those that are certainly held before each node. */
class SharedHeld {
  readonly #held: readonly (readonly (ReadonlySet<number> | null)[])[];
  /** Per watch, the locks that all who announce hold. */
  readonly #common: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(model: Model, held: readonly Held[]) {
    this.#held = held.map((body) => body.map((locks) => (locks ? sharedOf(model, locks) : null)));
    this.#common = findCommon(model, this.#held);
  }

  at(body: number, node: number): ReadonlySet<number> {
    return this.#held[body]?.[node] ?? new Set();
  }

  haveCommon(watch: number, locks: ReadonlySet<number>): boolean {
    return [...(this.#common.get(watch) ?? [])].some((lock) => locks.has(lock));
  }
}

function sharedOf({ variables }: Model, locks: ReadonlySet<number>): Set<number> {
  return new Set([...locks].filter((lock) => (variables[lock] as Variable).owner === SHARED));
}

/** Per watch, the locks that all who announce hold. */
function findCommon(
  { bodies, watches }: Model,
  held: readonly (readonly (ReadonlySet<number> | null)[])[],
): Map<number, ReadonlySet<number>> {
  const common = new Map<number, ReadonlySet<number>>();
  for (const { id, nodes } of bodies) {
    nodes.forEach((node, at) => {
      const here = held[id]?.[at];
      if (!here) return;
      for (const watch of writtenBy(node)) {
        if (!watches.has(watch)) continue;
        const before = common.get(watch);
        common.set(watch, before ? new Set([...before].filter((lock) => here.has(lock))) : here);
      }
    });
  }
  return common;
}

function withoutWatches({ graph, variables }: Model, condition: Term, watches: readonly number[]): Term {
  const terms = new Set(watches.map((watch) => (variables[watch] as Variable).term));
  const nobody = (term: Term) => (terms.has(term) ? graph.constant(graph.widthOf(term), 0n) : term);
  return new TermRebuilder(graph, graph, nobody).rebuild(condition);
}

function dropUnseen({ bodies, watches }: Model, seen: ReadonlySet<number>): void {
  const isWanted = ({ variable }: { readonly variable: number }) => !watches.has(variable) || seen.has(variable);
  for (const { nodes } of bodies) {
    const empty = new Set<number>();
    nodes.forEach((node, at) => {
      if (node.kind !== 'set' || node.assignments.every(isWanted)) return;
      const assignments = node.assignments.filter(isWanted);
      nodes[at] = { ...node, assignments };
      if (assignments.length === 0) empty.add(at);
    });
    nodes.forEach((node, at) => {
      const [first, second] = node.next;
      if (node.kind === 'branch' && empty.has(first as number))
        nodes[at] = { kind: 'skip', loc: node.loc, isModel: node.isModel, next: [second as number] } as AnyNode;
    });
  }
}

/**
 * Ghosts that count. For a shared variable `x` that threads of any number change by `x = … + c` alone, its *passages*
 * are a variable that each of these writes changes by `c` in the same instant. What is added to it is constant even
 * where `x` is read before it is written, and others write in between: so the counting of threads (count-threads.ts)
 * says how large it is at most, and what it is once all threads have ended. How `x` compares with it is for the
 * invariant to say: `x <= passages(x)` where increments may be lost, `x == passages(x)` where a lock keeps them.
 *
 * Where each thread keeps what it has added (count-turns.ts), anything counts that it adds of its own, and not only
 * positive constants.
 *
 * Where nobody joins these threads, there is a ghost for how many were created as well. It is increased before the
 * creation, so that it is never less than their number, unless that is larger than any word: it does not wrap.
 *
 * Ghosts are sound by themselves: no condition of the program reads them, and they are assigned where something else
 * is.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { LEAST_COUNTED_WIDTH, MOST_WEIGHT } from './count-threads.ts';
import { type AnyNode, type Assignment, type Body, findCyclic, type Model, SHARED, type Variable } from './graph.ts';
import { VariableFinder, writtenBy } from './node-terms.ts';

/** Registers that stand for others are followed so far. */
const MOST_HOPS = 8;

/** After accesses are resolved. `ofAll`: whatever threads add counts, not only positive constants. */
export function countPassages(model: Model, ofAll: boolean): void {
  const counted = findPassed(model, ofAll);
  if (counted.length === 0) return;
  const ghosts = new Map(
    counted.map(({ id, name, width, initial }) => [id, addGhost(model, `passages(${name})`, width, initial)]),
  );
  const created = model.peers.length === 0 ? addGhost(model, 'created', 32, 0n) : null;
  for (const body of model.bodies) {
    const additions = new Additions(model, body);
    const { length } = body.nodes;
    for (let at = 0; at < length; at++) {
      const node = body.nodes[at] as AnyNode;
      if (node.kind === 'set')
        body.nodes[at] = { ...node, assignments: withGhosts(model, node.assignments, ghosts, additions, ofAll) };
      if (node.kind !== 'spawn' || created === null || !model.bodies[node.body]?.isReplicated) continue;
      const assignments = [{ variable: created.id, value: increased(model.graph, created.term) }];
      const next = [body.nodes.push(node) - 1];
      body.nodes[at] = { kind: 'set', assignments, loc: node.loc, isModel: true, next };
    }
  }
  model.passages = {
    ghosts: new Map([...ghosts].map(([id, ghost]) => [id, ghost.id])),
    created: created === null ? null : created.id,
  };
}

/** One more, as long as there is a larger number. */
function increased(graph: TermGraph, count: Term): Term {
  const isLast = graph.eq(count, graph.constant(32, -1n));
  return graph.ite(isLast, count, graph.add(count, graph.constant(32, 1n)));
}

/** Whether there is something to count. */
export function hasPassages(model: Model): boolean {
  return findPassed(model, false).length > 0;
}

/** Whether some of it is written in loops, so that places do not tell how often. */
export function hasLoopedPassages(model: Model): boolean {
  const counted = new Set(findPassed(model, false).map(({ id }) => id));
  return model.bodies.some(({ isReplicated, nodes }) => {
    const cyclic = isReplicated ? findCyclic(nodes) : new Set<number>();
    return [...cyclic].some((at) => writtenBy(nodes[at] as AnyNode).some((id) => counted.has(id)));
  });
}

/** Whether places do not tell what threads add: in loops, or what they have summed up. */
export function hasTurns(model: Model): boolean {
  const counted = findPassed(model, true);
  return model.bodies.some((body) => {
    if (!body.isReplicated) return false;
    const additions = new Additions(model, body);
    const cyclic = findCyclic(body.nodes);
    return body.nodes.some((node, at) =>
      counted.some(
        (each) => writtenBy(node).includes(each.id) && (cyclic.has(at) || !additions.areIn(node, each, false)),
      ),
    );
  });
}

/** Shared variables to which threads of any number add constants, or whatever they have, and do nothing else. */
function findPassed(model: Model, ofAll: boolean): Variable[] {
  const { bodies, variables, heap } = model;
  const replicated = bodies.filter(({ isReplicated }) => isReplicated);
  const written = new Set(replicated.flatMap(({ nodes }) => nodes.flatMap((node) => writtenBy(node))));
  return [...written].flatMap((id): Variable[] => {
    const variable = variables[id] as Variable;
    const { kind, owner, width } = variable;
    if (kind !== 'cell' || owner !== SHARED || width < LEAST_COUNTED_WIDTH || heap?.pointers.has(id)) return [];
    const isCounted = replicated.every((body) => {
      const additions = new Additions(model, body);
      return body.nodes.every((node) => !writtenBy(node).includes(id) || additions.areIn(node, variable, ofAll));
    });
    return isCounted ? [variable] : [];
  });
}

/** What a body adds to something. */
export class Additions {
  readonly #graph: TermGraph;
  /** What registers are that are assigned once. */
  readonly #valueOf = new Map<Term, Term>();

  readonly #finder: VariableFinder;
  readonly #isOwn: (variable: number) => boolean;

  constructor(model: Model, { nodes, id: owner }: Body) {
    const { graph, variables } = model;
    this.#graph = graph;
    this.#finder = new VariableFinder(model);
    this.#isOwn = (variable) => variables[variable]?.owner === owner;
    const times = new Map<number, number>();
    for (const node of nodes) for (const id of writtenBy(node)) times.set(id, (times.get(id) ?? 0) + 1);
    for (const node of nodes) {
      if (node.kind !== 'set') continue;
      for (const { variable, value } of node.assignments) {
        const { kind, term } = variables[variable] as Variable;
        if (kind === 'register' && times.get(variable) === 1) this.#valueOf.set(term, value);
      }
    }
  }

  areIn(node: AnyNode, variable: Variable, ofAll: boolean): boolean {
    if (node.kind !== 'set') return false;
    return node.assignments.every(
      (each) => each.variable !== variable.id || this.amountOf(each.value, variable, ofAll) !== null,
    );
  }

  /** What is added to the variable: a small positive constant, or, where all counts, anything that the thread has. */
  amountOf(value: Term, { term, width }: Variable, ofAll: boolean): Term | null {
    const constant = ofAll ? this.signed(value) : this.of(value);
    if (constant !== null) return this.#graph.constant(width, constant);
    const sum = this.#resolve(value, 'add');
    if (!ofAll || sum === null) return null;
    const [left, right] = this.#graph.operandsOf(sum) as [Term, Term];
    const amount = this.#resolve(left, term) ? right : this.#resolve(right, term) ? left : null;
    return amount !== null && this.#finder.in(amount).every(this.#isOwn) ? amount : null;
  }

  /** The constant in `… + c`, if it is small and positive. */
  of(value: Term): bigint | null {
    const added = this.signed(value);
    return added !== null && added > 0n ? added : null;
  }

  /** The same with either sign. */
  signed(value: Term): bigint | null {
    const graph = this.#graph;
    const sum = this.#resolve(value, 'add');
    const constant = sum === null ? null : graph.constantOf(graph.operand(sum, 1));
    const added = constant === null ? null : BigInt.asIntN(graph.widthOf(value), constant);
    const isSmall = added !== null && added >= -BigInt(MOST_WEIGHT) && added <= BigInt(MOST_WEIGHT);
    return isSmall && added !== 0n ? added : null;
  }

  /** What the term stands for, if that is a certain term or an operation. */
  #resolve(start: Term, wanted: Term | 'add'): Term | null {
    const graph = this.#graph;
    let term = start;
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      if (term === wanted || graph.operationOf(term) === wanted) return term;
      const known = graph.operationOf(term) === 'refine' ? graph.operand(term, 0) : this.#valueOf.get(term);
      if (known === undefined) return null;
      term = known;
    }
    return null;
  }
}

/** Fixed threads assign the ghost what they assign the variable, or add as much. */
function withGhosts(
  { graph, variables }: Model,
  assignments: readonly Assignment[],
  ghosts: ReadonlyMap<number, Variable>,
  additions: Additions,
  ofAll: boolean,
): readonly Assignment[] {
  return assignments.flatMap((each) => {
    const ghost = ghosts.get(each.variable);
    if (ghost === undefined) return [each];
    const added = additions.amountOf(each.value, variables[each.variable] as Variable, ofAll);
    const value = added === null ? each.value : graph.add(ghost.term, added);
    return [each, { variable: ghost.id, value }];
  });
}

function addGhost(model: Model, name: string, width: number, initial: bigint): Variable {
  return addVariable(model, { name, width, owner: SHARED, kind: 'cell', signed: true, initial });
}

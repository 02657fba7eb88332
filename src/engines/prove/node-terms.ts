/** What nodes read and write, and which variables are still needed after them. */

import { assertNever } from '../../support/invariant.ts';
import type { Term, TermGraph } from '../../values/terms.ts';
import { type AnyNode, type Body, type Model, SHARED, type Variable } from './graph.ts';
import { collectVariables } from './rebuild-term.ts';

/** The terms of a node, in order. */
export function termsOf(node: AnyNode): readonly Term[] {
  switch (node.kind) {
    case 'load':
    case 'free':
      return [node.address];
    case 'store':
      return [node.address, node.value];
    case 'set':
      return node.assignments.map(({ value }) => value);
    case 'branch':
    case 'assume':
    case 'assert':
    case 'claim':
      return [node.condition];
    case 'spawn':
      return node.order === null ? [node.argument] : [node.argument, node.order];
    case 'fresh':
      return node.looksAt;
    case 'peer':
      return node.peer === null ? [] : [node.peer.order, node.peer.created];
    case 'enter':
    case 'leave':
    case 'havoc':
    case 'allocate':
    case 'alone':
    case 'begin':
    case 'end':
    case 'finish':
    case 'stop':
    case 'skip':
      return [];
    default:
      return assertNever(node);
  }
}

/** The node with other terms. */
export function mapTerms(node: AnyNode, map: (term: Term) => Term): AnyNode {
  switch (node.kind) {
    case 'load':
    case 'free':
      return { ...node, address: map(node.address) };
    case 'store':
      return { ...node, address: map(node.address), value: map(node.value) };
    case 'set':
      return { ...node, assignments: node.assignments.map(({ variable, value }) => ({ variable, value: map(value) })) };
    case 'branch':
    case 'assume':
    case 'assert':
    case 'claim':
      return { ...node, condition: map(node.condition) };
    case 'spawn':
      return { ...node, argument: map(node.argument), order: node.order === null ? null : map(node.order) };
    case 'fresh':
      return { ...node, looksAt: node.looksAt.map(map) };
    case 'peer': {
      if (node.peer === null) return node;
      const { order, created } = node.peer;
      return { ...node, peer: { ...node.peer, order: map(order), created: map(created) } };
    }
    default:
      return node;
  }
}

/** The variables that a node assigns. */
export function writtenBy(node: AnyNode): readonly number[] {
  switch (node.kind) {
    case 'load':
    case 'allocate':
      return [node.variable];
    case 'set':
      return node.assignments.map(({ variable }) => variable);
    case 'havoc':
      return node.variables;
    case 'spawn':
      return [node.number];
    default:
      return [];
  }
}

/** What the node assigns to the variable; null where it does not, or not a value of its own. */
export function assignedBy(node: AnyNode, id: number): Term | null {
  if (node.kind !== 'set') return null;
  return node.assignments.find(({ variable }) => variable === id)?.value ?? null;
}

/** The variables in terms, by number; keeps what it found. */
export class VariableFinder {
  readonly #graph: TermGraph;
  readonly #idOf = new Map<Term, number>();
  readonly #known = new Map<Term, readonly number[]>();

  constructor({ graph, variables }: Pick<Model, 'graph' | 'variables'>) {
    this.#graph = graph;
    for (const { id, term } of variables) if (graph.operationOf(term) === 'variable') this.#idOf.set(term, id);
  }

  idOf(term: Term): number | undefined {
    return this.#idOf.get(term);
  }

  in(term: Term): readonly number[] {
    const known = this.#known.get(term);
    if (known) return known;
    const terms = new Set<Term>();
    collectVariables(this.#graph, term, terms);
    const ids = [...terms].flatMap((each) => this.#idOf.get(each) ?? []);
    this.#known.set(term, ids);
    return ids;
  }

  readBy(node: AnyNode): readonly number[] {
    const terms = termsOf(node);
    if (terms.length === 1) return this.in(terms[0] as Term);
    return [...new Set(terms.flatMap((term) => this.in(term)))];
  }
}

/** Which bodies read or write a variable. */
export class VariableUsers {
  readonly #model: Model;
  readonly #users = new Map<number, Set<number>>();

  constructor(model: Model, finder: VariableFinder) {
    this.#model = model;
    for (const { id, nodes } of model.bodies) {
      for (const node of nodes) {
        for (const variable of finder.readBy(node)) this.#add(variable, id);
        for (const variable of writtenBy(node)) this.#add(variable, id);
      }
    }
    // What threads have added counts after their end.
    for (const { ghost } of model.turns) this.#add(ghost, SHARED);
  }

  #add(variable: number, body: number): void {
    const known = this.#users.get(variable) ?? new Set();
    this.#users.set(variable, known.add(body));
  }

  of(variable: number): ReadonlySet<number> {
    return this.#users.get(variable) ?? new Set();
  }

  /** Each thread has its own, and no other looks at it. */
  isPrivate(id: number): boolean {
    const { owner } = this.#model.variables[id] as Variable;
    return owner !== SHARED && [...this.of(id)].every((body) => body === owner);
  }
}

/** Per node, the variables whose values may be read before they are assigned again, from before the node on. */
export function findLive({ nodes }: Pick<Body, 'nodes'>, finder: VariableFinder): ReadonlySet<number>[] {
  const live = nodes.map((node) => new Set(finder.readBy(node)));
  const written = nodes.map((node) => new Set(writtenBy(node)));
  const before: number[][] = nodes.map(() => []);
  nodes.forEach((node, i) => {
    for (const next of node.next) before[next]?.push(i);
  });
  const work = nodes.map((_, i) => i);
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    for (const previous of before[at] as number[]) {
      const into = live[previous] as Set<number>;
      const size = into.size;
      for (const variable of live[at] as Set<number>) if (!written[previous]?.has(variable)) into.add(variable);
      if (into.size > size) work.push(previous);
    }
  }
  return live;
}

/**
 * Accesses to what the models keep by the numbers of threads, and to a table of their identifiers (find-peers.ts), as
 * nodes. Whatever was guessed of them is asserted first: a wrong guess is a proof that fails.
 *
 * The element of a thread's own number is a cell of its own. Who creates a thread gives it first values. Main gets at
 * those of others by a node `peer`, all in one section, so that the peer is found and accessed in one step.
 */

import { pushAll } from '../../support/push-all.ts';
import type { Term } from '../../values/terms.ts';
import { type ElementIndex, indexIn, type PeerAccess, type PeerPlan, peerKey, type Table } from './find-peers.ts';
import type { AnyNode, Body, GraphObject, Model, Node, Peers, RawNode, Variable } from './graph.ts';

type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;

/** Numbers from here on are of threads that never run. */
const ELEMENTS = 512n;

export class PeerAccesses {
  readonly #model: Model;
  readonly #plan: PeerPlan;
  /** By array. */
  readonly #cells: ReadonlyMap<GraphObject, Variable>;

  /** After `numberThreads`. */
  constructor(model: Model, plan: PeerPlan) {
    this.#model = model;
    this.#plan = plan;
    const { cells } = model.peers as Peers;
    const variables = [...cells].map((id) => model.variables[id] as Variable);
    this.#cells = new Map([...plan.arrays].map((array, i) => [array, variables[i] as Variable]));
  }

  /** The node to stand in its place; null for all other accesses. `isThere`: whether a table is alive, as far as it
   * is accessed. */
  resolve(node: RawAccess, body: Body, at: number, isThere: (table: GraphObject) => Term): Node | null {
    const access = this.#plan.accesses.get(peerKey(body, at));
    if (access !== undefined) return this.#resolveElement(node, body, access);
    const { table } = this.#plan;
    if (!table?.accesses.has(peerKey(body, at))) return null;
    return this.#resolveTable(node, body, table, isThere(table.object));
  }

  has(body: Body, at: number): boolean {
    const key = peerKey(body, at);
    return this.#plan.accesses.has(key) || this.#plan.table?.accesses.has(key) === true;
  }

  #word(value: bigint): Term {
    return this.#model.graph.constant(32, value);
  }

  // -------------------------------------------------------------- elements by number

  #resolveElement(node: RawAccess, body: Body, access: PeerAccess): Node {
    const { graph, variables } = this.#model;
    const { first, unit, created } = this.#model.peers as Peers;
    const [array, cell] = this.#arrayOf(node);
    const { index, isExact } = indexIn(array, node, this.#model) as ElementIndex;
    const { loc, isModel, next } = node;
    const accessed: Node =
      node.kind === 'load'
        ? { kind: 'set', assignments: [{ variable: node.variable, value: cell.term }], loc, isModel, next }
        : { kind: 'set', assignments: [{ variable: cell.id, value: node.value }], loc, isModel, next };
    if (access === 'own') {
      const self = (variables[body.self as number] as Variable).term;
      const isOwn = graph.eq(index, graph.add(self, this.#word(unit)));
      return this.#chain(node, body, graph.and(isExact, isOwn), [accessed]);
    }
    const order = graph.sub(index, this.#word(unit));
    const count = (variables[created] as Variable).term;
    const isTheirs = graph.less('ult', graph.sub(index, this.#word(first)), this.#word(ELEMENTS - first));
    return this.#chain(node, body, graph.and(isExact, isTheirs), [
      { kind: 'peer', peer: { order, created: count, isNew: access === 'new' }, loc, isModel, next },
      accessed,
      { kind: 'peer', peer: null, loc, isModel, next },
    ]);
  }

  #arrayOf(node: RawAccess): readonly [GraphObject, Variable] {
    for (const [array, cell] of this.#cells) {
      const found = indexIn(array, node, this.#model);
      if (found !== null && this.#isIn(array, node)) return [array, cell];
    }
    throw new Error('an access by the number of a thread is in none of the arrays');
  }

  /** Bases lie far apart: an address is written with that of its object. */
  #isIn({ base, size }: GraphObject, node: RawAccess): boolean {
    const { graph } = this.#model;
    const stack = [node.address];
    for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
      const value = graph.constantOf(term);
      if (value !== null && value >= base - ELEMENTS && value < base + BigInt(size)) return true;
      if (graph.operationOf(term) === 'add') pushAll(stack, graph.operandsOf(term));
    }
    return false;
  }

  // -------------------------------------------------------------- tables

  #resolveTable(node: RawAccess, body: Body, { object, first: shift, bytes }: Table, isThere: Term): Node {
    const { graph, variables } = this.#model;
    const { first, created } = this.#model.peers as Peers;
    const { loc, isModel, next } = node;
    const { index, isExact } = indexIn(object, node, this.#model) as ElementIndex;
    const order = graph.sub(index, this.#word(shift));
    const identifier = graph.add(order, this.#word(first + 1n));
    const width = 8 * bytes;
    const value = width >= 32 ? graph.extend(identifier, width, false) : graph.extract(identifier, 0, width);
    const isInside = graph.andAll([isExact, isThere, this.#isBelow(index, BigInt(Math.floor(object.size / bytes)))]);
    if (node.kind === 'store') {
      const isForeseen = graph.and(isInside, graph.eq(node.value, value));
      return this.#chain(node, body, isForeseen, [{ kind: 'skip', loc, isModel, next }]);
    }
    const isStored = graph.less('ult', order, (variables[created] as Variable).term);
    const set: Node = { kind: 'set', assignments: [{ variable: node.variable, value }], loc, isModel, next };
    return this.#chain(node, body, graph.and(isInside, isStored), [set]);
  }

  #isBelow(index: Term, end: bigint): Term {
    const { graph } = this.#model;
    return end < 1n << 32n ? graph.less('ult', index, this.#word(end)) : graph.true;
  }

  // -------------------------------------------------------------- nodes

  /** One section: what is asserted, then the nodes. The first is returned, the others are added to the body. */
  #chain({ loc, isModel, next }: RawAccess, body: Body, condition: Term, nodes: readonly Node[]): Node {
    const add = (node: AnyNode): number => body.nodes.push(node) - 1;
    let following = add({ kind: 'end', loc, isModel, next });
    for (const node of [...nodes].reverse()) following = add({ ...node, next: [following] });
    const assert = add({ kind: 'assert', condition, check: null, loc, isModel, next: [following] });
    return { kind: 'begin', loc, isModel, next: [assert] };
  }
}

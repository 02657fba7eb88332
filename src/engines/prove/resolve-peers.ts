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
import {
  type AnyNode,
  type Body,
  type GraphObject,
  type Model,
  type Node,
  type Peers,
  peersOf,
  type RawNode,
  type Variable,
} from './graph.ts';

type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;

/** Addresses of elements are written with constants so far below their array. */
const MOST_BELOW = 512n;

/** What an access comes to where a condition holds. */
interface Case {
  readonly condition: Term;
  readonly nodes: readonly Node[];
}

export class PeerAccesses {
  readonly #model: Model;
  readonly #plan: PeerPlan;

  /** After `numberThreads`. */
  constructor(model: Model, plan: PeerPlan) {
    this.#model = model;
    this.#plan = plan;
  }

  /** The node to stand in its place; null for all other accesses. `isThere`: whether a table is alive, as far as it
   * is accessed. */
  resolve(node: RawAccess, body: Body, at: number, isThere: (table: GraphObject) => Term): Node | null {
    const access = this.#plan.accesses.get(peerKey(body, at));
    if (access !== undefined) return this.#resolveElement(node, body, access);
    const tables = this.#plan.tables.get(peerKey(body, at));
    const [first] = tables ?? [];
    if (tables === undefined || first === undefined) return null;
    const there = isThere(first.object);
    return this.#choose(
      node,
      body,
      tables.map((table) => this.#caseOfTable(node, table, there)),
    );
  }

  has(body: Body, at: number): boolean {
    const key = peerKey(body, at);
    return this.#plan.accesses.has(key) || this.#plan.tables.has(key);
  }

  #word(value: bigint): Term {
    return this.#model.graph.constant(32, value);
  }

  // -------------------------------------------------------------- elements by number

  #resolveElement(node: RawAccess, body: Body, access: PeerAccess): Node {
    const array = this.#arrayOf(node);
    const element = indexIn(array, node, this.#model) as ElementIndex;
    const candidates = access.kind === 'other' ? this.#model.peers : [peersOf(this.#model, access.body) as Peers];
    const cases = candidates.map((peers) => this.#caseOf(node, body, array, element, peers, access.kind));
    return this.#choose(node, body, cases);
  }

  /** The access to the element of a thread of one body. */
  #caseOf(
    node: RawAccess,
    body: Body,
    array: GraphObject,
    { index, isExact }: ElementIndex,
    peers: Peers,
    kind: PeerAccess['kind'],
  ): Case {
    const { graph, variables } = this.#model;
    const { loc, isModel, next } = node;
    const cell = this.#cellOf(array, peers);
    const accessed: Node =
      node.kind === 'load'
        ? { kind: 'set', assignments: [{ variable: node.variable, value: cell.term }], loc, isModel, next }
        : { kind: 'set', assignments: [{ variable: cell.id, value: node.value }], loc, isModel, next };
    const order = graph.sub(index, this.#word(peers.first));
    if (kind === 'own') {
      const self = (variables[body.self as number] as Variable).term;
      const isOwn = graph.eq(index, graph.add(self, this.#word(peers.first)));
      return { condition: graph.and(isExact, isOwn), nodes: [accessed] };
    }
    const created = (variables[peers.created] as Variable).term;
    const isTheirs = graph.less('ult', order, this.#word(peers.room));
    const peer = { body: peers.body, order, created, isNew: kind === 'new' };
    return {
      condition: graph.and(isExact, isTheirs),
      nodes: [{ kind: 'peer', peer, loc, isModel, next }, accessed, { kind: 'peer', peer: null, loc, isModel, next }],
    };
  }

  #cellOf(array: GraphObject, { cells }: Peers): Variable {
    const at = [...this.#plan.arrays].indexOf(array);
    return this.#model.variables[[...cells][at] as number] as Variable;
  }

  #arrayOf(node: RawAccess): GraphObject {
    for (const array of this.#plan.arrays)
      if (indexIn(array, node, this.#model) !== null && this.#isIn(array, node)) return array;
    throw new Error('an access by the number of a thread is in none of the arrays');
  }

  /** Bases lie far apart: an address is written with that of its object. */
  #isIn({ base, size }: GraphObject, node: RawAccess): boolean {
    const { graph } = this.#model;
    const stack = [node.address];
    for (let term = stack.pop(); term !== undefined; term = stack.pop()) {
      const value = graph.constantOf(term);
      if (value !== null && value >= base - MOST_BELOW && value < base + BigInt(size)) return true;
      if (graph.operationOf(term) === 'add') pushAll(stack, graph.operandsOf(term));
    }
    return false;
  }

  // -------------------------------------------------------------- tables

  #caseOfTable(node: RawAccess, { body, object, first: shift, end, bytes }: Table, isThere: Term): Case {
    const { graph, variables } = this.#model;
    const { first, created } = peersOf(this.#model, body) as Peers;
    const { loc, isModel, next } = node;
    const { index, isExact } = indexIn(object, node, this.#model) as ElementIndex;
    const order = graph.sub(index, this.#word(shift));
    const identifier = graph.add(order, this.#word(first + 1n));
    const width = 8 * bytes;
    const value = width >= 32 ? graph.extend(identifier, width, false) : graph.extract(identifier, 0, width);
    const isInside = graph.andAll([isExact, isThere, this.#isBelow(index, end)]);
    if (node.kind === 'store') {
      const isForeseen = graph.and(isInside, graph.eq(node.value, value));
      return { condition: isForeseen, nodes: [{ kind: 'skip', loc, isModel, next }] };
    }
    const isStored = graph.less('ult', order, (variables[created] as Variable).term);
    const set: Node = { kind: 'set', assignments: [{ variable: node.variable, value }], loc, isModel, next };
    return { condition: graph.and(isInside, isStored), nodes: [set] };
  }

  #isBelow(index: Term, end: bigint): Term {
    const { graph } = this.#model;
    return end < 1n << 32n ? graph.less('ult', index, this.#word(end)) : graph.true;
  }

  // -------------------------------------------------------------- nodes

  /**
   * One section: the nodes of the first case that holds, where it is asserted that the last one does if no other. The
   * first node is returned, the others are added to the body.
   */
  #choose({ loc, isModel, next }: RawAccess, body: Body, cases: readonly Case[]): Node {
    const add = (node: AnyNode): number => body.nodes.push(node) - 1;
    const end = add({ kind: 'end', loc, isModel, next });
    const start = cases.reduceRight<number | null>((otherwise, { condition, nodes }) => {
      const then = nodes.reduceRight((following, node) => add({ ...node, next: [following] }), end);
      if (otherwise === null) return add({ kind: 'assert', condition, check: null, loc, isModel, next: [then] });
      return add({ kind: 'branch', condition, loc, isModel, next: [then, otherwise] });
    }, null);
    return { kind: 'begin', loc, isModel, next: [start as number] };
  }
}

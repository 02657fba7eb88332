/**
 * Locks, whoever wrote them: cells that are 0 when the first thread is created, are taken by an atomic "wait until it
 * is 0; set it", and are set back to 0 only by a thread that certainly holds them. What is only ever accessed under a
 * common lock needs no step of its own, and the release moves left: a critical section is one step (Lipton,
 * "Reduction", 1975; locksets as in Eraser).
 *
 * While a thread holds a lock, the cell has the value that the thread stored, so that a release which looks at it is
 * decided; and where nobody else looks further than "is it 0" and a 1 lets nobody in, the lock's value becomes 1.
 *
 * Locks that several may hold to read are found in read-write-locks.ts, and guard what is only read by these.
 */

import type { Term } from '../../values/terms.ts';
import { hasValue, withoutValue } from '../../values/value-set.ts';
import type { AnyNode, Body, Model, Variable } from './graph.ts';
import { findHeld, type Held, type LockUse } from './held-locks.ts';
import { type VariableFinder, type VariableUsers, writtenBy } from './node-terms.ts';
import { findReadWriteLocks, type LockMode, type ReadWriteLocks } from './read-write-locks.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** A section that takes a lock or gives it back. */
interface Use extends LockUse {
  readonly body: number;
  /** What is stored. */
  readonly value: Term;
  readonly store: number;
  /** The node that reads the lock, if there is one. */
  readonly load: number | null;
  /** Nothing else that others may notice is done: where a lock is given back and a wait begins, it is not so. */
  readonly isPure: boolean;
}

export interface Locks {
  /** The cells that are locks, by number. */
  readonly locks: ReadonlySet<number>;
  /** Cells that are only accessed under some lock. */
  readonly guarded: ReadonlySet<number>;
  /** Per body, the sections that take locks and those that give them back. */
  readonly sections: readonly { readonly takes: readonly LockUse[]; readonly gives: readonly LockUse[] }[];
  /** Per body, the nodes that give a lock back. */
  readonly releases: readonly ReadonlySet<number>[];
  /** Per body, what is held for certain before each node so that nobody else does, and what is held at all. */
  readonly held: readonly Held[];
  readonly heldAtAll: readonly Held[];
}

/**
 * Nodes of main that run before any thread is created, or after all have ended (`isAlone` is both), count for nothing
 * here.
 */
export function findLocks(
  model: Model,
  finder: VariableFinder,
  users: VariableUsers,
  isBefore: (body: number, node: number) => boolean,
  isAlone: (body: number, node: number) => boolean,
): Locks {
  const search = new LockSearch(model, finder, users, isBefore, isAlone);
  return search.run();
}

class LockSearch {
  readonly #model: Model;
  readonly #finder: VariableFinder;
  readonly #users: VariableUsers;
  readonly #isBefore: (body: number, node: number) => boolean;
  readonly #isAlone: (body: number, node: number) => boolean;
  readonly #takes: readonly (readonly Use[])[];
  readonly #gives: readonly (readonly Use[])[];

  constructor(
    model: Model,
    finder: VariableFinder,
    users: VariableUsers,
    isBefore: (body: number, node: number) => boolean,
    isAlone: (body: number, node: number) => boolean,
  ) {
    this.#model = model;
    this.#finder = finder;
    this.#users = users;
    this.#isBefore = isBefore;
    this.#isAlone = isAlone;
    const sections = model.bodies.map((body) => this.#findSections(body));
    this.#takes = sections.map((each) => each.filter((use) => this.#isTake(use)));
    this.#gives = sections.map((each) => each.filter((use) => model.graph.constantOf(use.value) === 0n));
  }

  run(): Locks {
    const { bodies } = this.#model;
    const candidates = new Set(this.#takes.flat().map(({ lock }) => lock));
    const locks = new Set([...candidates].filter((lock) => this.#isUsedFromFree(lock)));
    let held: Held[] = [];
    for (let size = -1; size !== locks.size; ) {
      size = locks.size;
      held = bodies.map((body) => this.#findHeld(body, locks));
      for (const lock of locks) if (!this.#isLock(lock, held)) locks.delete(lock);
    }
    const readWrite = findReadWriteLocks(this.#model, this.#finder, this.#users, this.#isBefore);
    const heldAtAll = this.#withReadWrite(held, readWrite, ['read', 'write']);
    held = this.#withReadWrite(held, readWrite, ['write']);
    const guarded = this.#findGuarded(locks, held, heldAtAll);
    const releases = this.#gives.map((uses, id) => {
      const pure = uses.filter(({ lock, isPure }) => isPure && locks.has(lock));
      return new Set([...pure, ...(readWrite.gives[id] ?? [])].flatMap(({ nodes }) => [...nodes]));
    });
    this.#simplify(locks, held);
    const isUsed = ({ lock }: Use) => locks.has(lock);
    const sections = bodies.map(({ id }) => ({
      takes: [...(this.#takes[id] ?? []).filter(isUsed), ...(readWrite.takes[id] ?? [])],
      gives: [...(this.#gives[id] ?? []).filter(isUsed), ...(readWrite.gives[id] ?? [])],
    }));
    return { locks, guarded, releases, sections, held, heldAtAll };
  }

  // -------------------------------------------------------------- sections

  #findSections(body: Body): Use[] {
    const { nodes } = body;
    const entered = new Map<number, number>();
    for (const { next } of nodes) for (const each of next) entered.set(each, (entered.get(each) ?? 0) + 1);
    const inSection = new Set<number>();
    const uses: Use[] = [];
    nodes.forEach((node, i) => {
      if (node.kind !== 'begin') return;
      const chain = [i];
      let at = node.next[0] as number;
      while (
        entered.get(at) === 1 &&
        nodes[at]?.next.length === 1 &&
        nodes[at]?.kind !== 'end' &&
        nodes[at]?.kind !== 'begin'
      ) {
        chain.push(at);
        at = (nodes[at] as AnyNode).next[0] as number;
      }
      if (nodes[at]?.kind !== 'end' || entered.get(at) !== 1) return;
      chain.push(at);
      const use = this.#readSection(body, chain);
      if (!use) return;
      uses.push(use);
      for (const each of chain) inSection.add(each);
    });
    nodes.forEach((_, i) => {
      const use = inSection.has(i) ? null : this.#readSection(body, [i]);
      if (use && this.#model.graph.constantOf(use.value) === 0n) uses.push(use);
    });
    return uses;
  }

  /**
   * One cell that is shared is stored to, and it alone may be read before, once; whatever comes after that in the
   * section does not touch it.
   */
  #readSection({ id, nodes }: Body, chain: readonly number[]): Use | null {
    let load: number | null = null;
    let store: number | null = null;
    let isPure = true;
    for (const at of chain) {
      const node = nodes[at] as AnyNode;
      if (store !== null && node.kind !== 'end') {
        const touched = [...this.#finder.readBy(node), ...writtenBy(node)];
        if (touched.includes(this.#assignmentAt(nodes, store).variable)) return null;
        isPure = false;
        continue;
      }
      if (
        node.kind !== 'set' &&
        node.kind !== 'begin' &&
        node.kind !== 'end' &&
        node.kind !== 'assume' &&
        node.kind !== 'assert'
      )
        return null;
      if (node.kind !== 'set') {
        if (this.#readsShared(node)) return null;
        continue;
      }
      const isStore = node.assignments.some(({ variable }) => this.#isShared(variable));
      if (node.assignments.length !== 1) return null;
      if (isStore) {
        if (this.#readsShared(node)) return null;
        store = at;
      } else if (this.#readsShared(node)) {
        if (load !== null) return null;
        load = at;
      }
    }
    if (store === null) return null;
    const { variable: lock, value } = this.#assignmentAt(nodes, store);
    if (load !== null && this.#finder.idOf(this.#assignmentAt(nodes, load).value) !== lock) return null;
    return { body: id, lock, nodes: chain, value, store, load, isPure };
  }

  #assignmentAt(nodes: readonly AnyNode[], at: number) {
    const node = nodes[at] as Extract<AnyNode, { kind: 'set' }>;
    return node.assignments[0] as (typeof node.assignments)[number];
  }

  #isShared(variable: number): boolean {
    return (this.#model.variables[variable] as Variable).kind === 'cell' && !this.#users.isPrivate(variable);
  }

  #readsShared(node: AnyNode): boolean {
    return this.#finder.readBy(node).some((variable) => this.#isShared(variable));
  }

  /** Goes on only where the cell is 0, and makes it something else. */
  #isTake(use: Use): boolean {
    const { graph, variables, bodies } = this.#model;
    const { set } = variables[use.lock] as Variable;
    if (use.load === null || !use.isPure || hasValue(graph.setOf(use.value), 0n)) return false;
    const { nodes } = bodies[use.body] as Body;
    const read = this.#assignmentAt(nodes, use.load).variable;
    const whenFree = this.#given(read, graph.constant(set.width, 0n));
    const goesOn = this.#conditionOf(use, 'assume');
    const isFine = this.#conditionOf(use, 'assert');
    const isBlocked = this.#isBlockedBy(use, graph.variable(withoutValue(set, 0n), 'taken'));
    return graph.isTrue(whenFree(goesOn)) && graph.isTrue(whenFree(isFine)) && isBlocked;
  }

  #conditionOf({ body, nodes: chain }: Use, kind: 'assume' | 'assert'): Term {
    const { graph, bodies } = this.#model;
    const { nodes } = bodies[body] as Body;
    const found = chain.flatMap((at) => {
      const node = nodes[at] as AnyNode;
      return node.kind === kind ? [node.condition] : [];
    });
    return graph.andAll(found);
  }

  /** Whoever takes the lock does not go on where it holds the value. */
  #isBlockedBy(use: Use, value: Term): boolean {
    const { graph, bodies } = this.#model;
    if (use.load === null) return false;
    const read = this.#assignmentAt((bodies[use.body] as Body).nodes, use.load).variable;
    return graph.isFalse(this.#given(read, value)(this.#conditionOf(use, 'assume')));
  }

  #given(variable: number, value: Term): (term: Term) => Term {
    const { graph, variables } = this.#model;
    const { term: replaced } = variables[variable] as Variable;
    const rebuilder = new TermRebuilder(graph, graph, (term) => (term === replaced ? value : term));
    return (term) => rebuilder.rebuild(term);
  }

  /** What main does before it creates threads leaves the lock free, or taken: on all ways, by the last that it does. */
  #isUsedFromFree(lock: number): boolean {
    const [{ id, nodes, entry }] = this.#model.bodies as [Body, ...Body[]];
    const { initial } = this.#model.variables[lock] as Variable;
    const uses = [...(this.#takes[id] ?? []), ...(this.#gives[id] ?? [])].filter((use) => use.lock === lock);
    const stores = new Set(uses.map(({ store }) => store));
    const known = new Map([[entry, initial === 0n]]);
    const work = [entry];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const isKnown = known.get(at) as boolean;
      if (!this.#isBefore(id, at)) {
        if (!isKnown) return false;
        continue;
      }
      const node = nodes[at] as AnyNode;
      const after = writtenBy(node).includes(lock) ? stores.has(at) || this.#setsFree(node, lock) : isKnown;
      for (const next of node.next) {
        const before = known.get(next);
        if (before === after || before === false) continue;
        known.set(next, after);
        work.push(next);
      }
    }
    return true;
  }

  #setsFree(node: AnyNode, lock: number): boolean {
    const value = node.kind === 'set' ? node.assignments.find(({ variable }) => variable === lock)?.value : undefined;
    return value !== undefined && this.#model.graph.constantOf(value) === 0n;
  }

  // -------------------------------------------------------------- what is held where

  #findHeld(body: Body, locks: ReadonlySet<number>): Held {
    const among = (uses: readonly Use[] | undefined) => (uses ?? []).filter(({ lock }) => locks.has(lock));
    return findHeld(body, among(this.#takes[body.id]), among(this.#gives[body.id]), 'certainly');
  }

  /** Every access takes it, or is done by whoever holds it and does nothing but look or give it back. */
  #isLock(lock: number, held: readonly Held[]): boolean {
    return this.#model.bodies.every(({ id, nodes }) => {
      const nodesOf = (uses: readonly Use[] | undefined) =>
        new Set((uses ?? []).filter((use) => use.lock === lock).flatMap((use) => [...use.nodes]));
      const [takes, gives] = [nodesOf(this.#takes[id]), nodesOf(this.#gives[id])];
      return nodes.every((node, at) => {
        const here = held[id]?.[at];
        if (!here) return true;
        const writes = writtenBy(node).includes(lock);
        if (!writes && !this.#finder.readBy(node).includes(lock)) return true;
        if (takes.has(at)) return !here.has(lock);
        if (this.#isBefore(id, at) && (gives.has(at) || !writes || !here.has(lock))) return true;
        if (!writes && this.#isAlone(id, at) && !this.#isBefore(id, at)) return true;
        return here.has(lock) && (gives.has(at) || !writes);
      });
    });
  }

  #withReadWrite(held: readonly Held[], readWrite: ReadWriteLocks, wanted: readonly LockMode[]): Held[] {
    return held.map((body, id) =>
      body.map((locks, at) => {
        const modes = [...readWrite.heldAt(id, at)].filter(([, mode]) => wanted.includes(mode));
        return locks === null || modes.length === 0 ? locks : new Set([...locks, ...modes.map(([lock]) => lock)]);
      }),
    );
  }

  #findGuarded(locks: ReadonlySet<number>, held: readonly Held[], heldAtAll: readonly Held[]): Set<number> {
    const common = new Map<number, Set<number>>();
    const note = (variables: readonly number[], here: ReadonlySet<number>) => {
      for (const variable of variables) {
        if (!this.#isShared(variable) || locks.has(variable)) continue;
        const before = common.get(variable);
        common.set(variable, new Set(before ? [...before].filter((lock) => here.has(lock)) : here));
      }
    };
    for (const { id, nodes } of this.#model.bodies) {
      nodes.forEach((node, at) => {
        const [toWrite, toRead] = [held[id]?.[at], heldAtAll[id]?.[at]];
        if (!toWrite || !toRead || this.#isAlone(id, at)) return;
        note(this.#finder.readBy(node), toRead);
        note(writtenBy(node), toWrite);
      });
    }
    return new Set([...common].flatMap(([variable, under]) => (under.size > 0 ? [variable] : [])));
  }

  // -------------------------------------------------------------- values of locks

  #simplify(locks: ReadonlySet<number>, held: readonly Held[]): void {
    const { graph, bodies, variables } = this.#model;
    const tested = new Set([...locks].filter((lock) => this.#isOnlyTested(lock, held)));
    for (const { nodes } of bodies) {
      const body = nodes as AnyNode[];
      for (const use of this.#gives.flat()) {
        if (bodies[use.body]?.nodes !== nodes || !locks.has(use.lock) || use.load === null) continue;
        const owner = this.#ownerOf(use, held);
        if (owner !== null) this.#assign(body, use.load, owner);
      }
      for (const { body: id, store, lock } of this.#takes.flat()) {
        if (bodies[id]?.nodes !== nodes || !tested.has(lock)) continue;
        this.#assign(body, store, graph.constant((variables[lock] as Variable).width, 1n));
      }
    }
  }

  /** What the lock holds where it is given back; null where that is not known. */
  #ownerOf({ body, lock, nodes }: Use, held: readonly Held[]): Term | null {
    if (this.#isBefore(body, nodes[0] as number)) return null;
    const takes = (this.#takes[body] ?? []).filter((use) => use.lock === lock);
    const [first, ...others] = takes;
    if (first === undefined || others.some(({ value }) => value !== first.value)) return null;
    return this.#isFixedWhileHeld(first.value, takes, held) ? first.value : null;
  }

  /** What was stored when the lock was taken, nobody assigns anew until it is given back. */
  #isFixedWhileHeld(value: Term, takes: readonly Use[], held: readonly Held[]): boolean {
    return takes.every(({ body, lock, nodes, store }) => {
      const stored = new Set(nodes.slice(nodes.indexOf(store)));
      const isHeld = (at: number) => stored.has(at) || held[body]?.[at]?.has(lock);
      const changed = new Set(
        (this.#model.bodies[body] as Body).nodes.flatMap((node, at) => (isHeld(at) ? writtenBy(node) : [])),
      );
      return this.#finder.in(value).every((id) => !this.#isShared(id) && !changed.has(id));
    });
  }

  #assign(nodes: AnyNode[], at: number, value: Term): void {
    const node = nodes[at] as Extract<AnyNode, { kind: 'set' }>;
    nodes[at] = { ...node, assignments: node.assignments.map(({ variable }) => ({ variable, value })) };
  }

  /** Nobody reads it but to take it, or to give it back where its value is known. */
  #isOnlyTested(lock: number, held: readonly Held[]): boolean {
    return this.#model.bodies.every(({ id, nodes }) => {
      const uses = [...(this.#takes[id] ?? []), ...(this.#gives[id] ?? [])].filter((use) => use.lock === lock);
      const known = new Set(uses.flatMap((use) => [...use.nodes]));
      const gives = (this.#gives[id] ?? []).filter((use) => use.lock === lock);
      if (gives.some((use) => use.load !== null && this.#ownerOf(use, held) === null)) return false;
      const one = this.#model.graph.constant((this.#model.variables[lock] as Variable).width, 1n);
      const takes = (this.#takes[id] ?? []).filter((use) => use.lock === lock);
      if (!takes.every((use) => this.#isBlockedBy(use, one))) return false;
      return nodes.every((node, at) => known.has(at) || !this.#finder.readBy(node).includes(lock));
    });
  }
}

/**
 * Threads of replicated bodies as main sees them, one by one: whom it joins. The models keep what others may know of a
 * thread in arrays by its number (`finished`, `status`, `result`). An element of these belongs to the thread with that
 * number, as a cell that each thread has for itself; main gets at it by the number, which names a *peer* (walk-step.ts
 * tells why it may be looked for among the slots). Each body has numbers of its own, in which its threads are numbered
 * as they are created, so that those below the count are there and no others.
 *
 * A *table* is an array, or a part of one, in which main keeps the identifiers of a body's threads, each at the place
 * of its number: what is read there is then known from the place. That it is so is guessed here and asserted at every
 * access.
 *
 * Left out, so that joins wait for nobody: joins by threads other than main, and arrays that are filled in another
 * order, or with threads of several bodies by turns.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { beforeThreads } from './before-threads.ts';
import {
  type AnyNode,
  type Body,
  type GraphObject,
  type Model,
  type Peers,
  predecessorsOf,
  type RawNode,
  RUNNING_THREADS,
  reachableFrom,
  SHARED,
  type Variable,
} from './graph.ts';
import { bytesOf, type TargetGuess, touches } from './guess-targets.ts';
import { looksAtIdentifiers } from './looks-at-identifiers.ts';
import { mapTerms, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;

/** Whose element of an array by number is accessed: its own, that of a new thread of a body, that of any peer. */
export type PeerAccess =
  | { readonly kind: 'own' | 'new'; readonly body: number }
  | { readonly kind: 'other'; readonly body: null };

export interface Table {
  readonly body: number;
  readonly object: GraphObject;
  /** Where the identifier of the first thread is, and what comes after the last. */
  readonly first: bigint;
  readonly end: bigint;
  /** Of an element. */
  readonly bytes: number;
}

export interface PeerPlan {
  readonly arrays: ReadonlySet<GraphObject>;
  /** By `body:node`. */
  readonly accesses: ReadonlyMap<string, PeerAccess>;
  /** The first number of a thread of any number; those of fixed threads lie below. */
  readonly first: bigint;
  /** The tables that an access may go to, by `body:node`. */
  readonly tables: ReadonlyMap<string, readonly Table[]>;
}

/** As many elements as threads that can run. */
const ELEMENTS = 512;
const ARRAYS = /^__lazuli_(thread|thrd)_/;
/** Registers that stand for others are followed so far. */
const MOST_COPIES = 8;

export const peerKey = (body: Body, node: number): string => `${body.id}:${node}`;

/** Main joins threads, and some are of any number. */
export function mayHavePeers({ bodies }: Model): boolean {
  const isJoin = (node: AnyNode) => node.kind === 'assume' && node.routine === '__lazuli_join';
  return bodies.some(({ isReplicated }) => isReplicated) && bodies[0]?.nodes.some(isJoin) === true;
}

/** Null where joins are not followed. */
export function findPeers(model: Model, guess: TargetGuess): PeerPlan | null {
  const { bodies } = model;
  const replicated = bodies.filter(({ isReplicated }) => isReplicated);
  const arrays = new Set(model.objects.filter(isByNumber));
  if (replicated.length === 0 || arrays.size === 0 || !isMainAlone(model)) return null;
  // The numbers of one body that comes last are those of the program.
  const isInOrder = areLast(model, replicated);
  if ((replicated.length > 1 || !isInOrder) && looksAtIdentifiers(model, guess)) return null;
  const accesses = new Map<string, PeerAccess>();
  for (const body of bodies) {
    const registers = new Registers(model, body);
    for (const [i, node] of body.nodes.entries()) {
      if (node.kind !== 'load' && node.kind !== 'store') continue;
      const { places, ranges } = guess.targetsOf(node.address, bytesOf(node, model));
      const touched = [...arrays].filter((array) => touches({ places, ranges }, array));
      if (touched.length === 0) continue;
      const [array] = touched as [GraphObject];
      const index = touched.length > 1 ? null : indexIn(array, node, model);
      if (index === null) return null;
      // Elements of fixed threads are cells like others.
      if (ranges.length === 0 && places.every((place) => isFixed(model, array, place))) continue;
      const access = registers.whose(index.index, replicated);
      if (access.kind === 'other' && body.id !== 0) return null;
      accesses.set(peerKey(body, i), access);
    }
  }
  if (![...accesses.values()].some(({ kind }) => kind === 'other')) return null;
  const first = BigInt(isInOrder ? bodies.length - replicated.length : bodies.length);
  return { arrays, accesses, first, tables: new TableFinder(model, guess).run(replicated) };
}

/** Whether nobody else creates threads. */
function isMainAlone({ bodies: [, ...others] }: Model): boolean {
  return !others.some(({ nodes }) => nodes.some(({ kind }) => kind === 'spawn'));
}

/** Whether threads of any number are created after all others: then the numbers of these come first. */
function areLast({ bodies }: Model, replicated: readonly Body[]): boolean {
  const [main] = bodies as [Body, ...Body[]];
  if (replicated.some(({ id }) => id < bodies.length - replicated.length)) return false;
  const sites = main.nodes.flatMap((node, i) => (node.kind === 'spawn' ? [{ at: i, body: node.body }] : []));
  const isLate = (body: number) => bodies[body]?.isReplicated === true;
  const late = sites.filter(({ body }) => isLate(body)).map(({ at }) => at);
  const after = reachableFrom(main.nodes, late);
  return sites.every(({ at, body }) => {
    if (isLate(body)) return true;
    const cut = main.nodes.map((node, i) => (i === at ? { ...node, next: [] } : node));
    const without = reachableFrom(cut, [main.entry]);
    return !after.has(at) && !late.some((each) => without.has(each));
  });
}

function isByNumber({ source, kind, size, name }: GraphObject): boolean {
  return kind === 'static' && source?.isModel === true && size % ELEMENTS === 0 && ARRAYS.test(name);
}

/** It is the element of a fixed thread. */
function isFixed({ bodies }: Model, { base, size }: GraphObject, place: bigint): boolean {
  return bodies[Number(place - base) / (size / ELEMENTS)]?.isReplicated === false;
}

// ---------------------------------------------------------------- places

/** Which element an access is to, where `isExact` holds. */
export interface ElementIndex {
  /** In 32 bits. */
  readonly index: Term;
  readonly isExact: Term;
}

/**
 * Null where the address is not written as base plus index times size. What stands for the base may be a variable, that
 * holds the address of an allocation: `isExact` says that it does.
 */
export function indexIn(object: GraphObject, node: RawAccess, model: Model): ElementIndex | null {
  const bytes = BigInt(bytesOf(node, model));
  const { graph } = model;
  const { base } = object;
  if (!hasElements(object, Number(bytes))) return null;
  const { constant, rest } = splitSum(graph, node.address);
  const offset = BigInt.asIntN(model.pointerWidth, constant - base);
  const element = graph.constant(32, offset / bytes);
  if (rest === null) return offset % bytes === 0n ? { index: element, isExact: graph.true } : null;
  const factor = unscaled(graph, rest, bytes);
  if (factor !== null && offset % bytes === 0n) {
    const { index, isExact } = narrowed(graph, factor);
    return { index: graph.add(index, element), isExact };
  }
  return behindVariable(graph, rest, bytes, graph.constant(model.pointerWidth, base - constant));
}

/** It is made of elements, or its length is another matter. */
function hasElements({ size, length }: GraphObject, bytes: number): boolean {
  return length !== null || size % bytes === 0;
}

function narrowed(graph: TermGraph, index: Term): ElementIndex {
  const low = graph.extract(index, 0, 32);
  return { index: low, isExact: graph.eq(index, graph.extend(low, graph.widthOf(index), false)) };
}

/** Of a sum of a variable and an index times size, if the variable holds the base. */
function behindVariable(graph: TermGraph, sum: Term, bytes: bigint, base: Term): ElementIndex | null {
  if (graph.operationOf(sum) !== 'add') return null;
  for (const i of [0, 1] as const) {
    const factor = unscaled(graph, graph.operand(sum, i), bytes);
    if (factor === null) continue;
    const { index, isExact } = narrowed(graph, factor);
    return { index, isExact: graph.and(isExact, graph.eq(graph.operand(sum, i ? 0 : 1), base)) };
  }
  return null;
}

function splitSum(graph: TermGraph, term: Term): { readonly constant: bigint; readonly rest: Term | null } {
  const value = graph.constantOf(term);
  if (value !== null) return { constant: value, rest: null };
  if (graph.operationOf(term) !== 'add') return { constant: 0n, rest: term };
  const [a, b] = [splitSum(graph, graph.operand(term, 0)), splitSum(graph, graph.operand(term, 1))];
  const rest = a.rest === null ? b.rest : b.rest === null ? a.rest : graph.add(a.rest, b.rest);
  return { constant: a.constant + b.constant, rest };
}

function unscaled(graph: TermGraph, term: Term, by: bigint): Term | null {
  if (by === 1n) return term;
  const operation = graph.operationOf(term);
  if (operation === 'mul')
    for (const i of [0, 1] as const)
      if (graph.constantOf(graph.operand(term, i)) === by) return graph.operand(term, i ? 0 : 1);
  const amount = operation === 'shl' ? graph.constantOf(graph.operand(term, 1)) : null;
  return amount !== null && 1n << amount === by ? graph.operand(term, 0) : null;
}

/** What registers stand for, where they are assigned once. */
class Registers {
  readonly #model: Model;
  readonly #body: Body;
  readonly #valueOf = new Map<Term, Term>();

  constructor(model: Model, body: Body) {
    this.#model = model;
    this.#body = body;
    const written = new Map<number, AnyNode[]>();
    for (const node of body.nodes)
      for (const variable of writtenBy(node)) written.set(variable, [...(written.get(variable) ?? []), node]);
    for (const [variable, [node, ...others]] of written) {
      const { term, kind } = model.variables[variable] as Variable;
      if (kind !== 'register' || others.length > 0 || node?.kind !== 'set') continue;
      const value = node.assignments.find((each) => each.variable === variable)?.value;
      if (value !== undefined) this.#valueOf.set(term, value);
    }
  }

  expand(term: Term): Term {
    const { graph } = this.#model;
    let expanded = term;
    for (let i = 0; i < MOST_COPIES; i++) {
      const rebuilder = new TermRebuilder(graph, graph, (each) => this.#valueOf.get(each) ?? each);
      expanded = rebuilder.rebuild(expanded);
    }
    return expanded;
  }

  /** As far as can be seen here: 'new' and 'own' are asserted, or looked at again, where they are used. */
  whose(index: Term, replicated: readonly Body[]): PeerAccess {
    const { id, self } = this.#body;
    const term = this.expand(index);
    if (self !== null && term === this.#model.variables[self]?.term) return { kind: 'own', body: id };
    const body = replicated.find((each) => this.numbers(each).includes(term));
    return body === undefined ? { kind: 'other', body: null } : { kind: 'new', body: body.id };
  }

  /** The registers that get numbers of new threads of the body. */
  numbers(replicated: Body): Term[] {
    return this.#body.nodes.flatMap((node) =>
      node.kind === 'spawn' && node.body === replicated.id
        ? [(this.#model.variables[node.number] as Variable).term]
        : [],
    );
  }
}

// ---------------------------------------------------------------- tables

type RawStore = Extract<RawNode, { kind: 'store' }>;

/** Finds the arrays in which creations leave identifiers, and main stores nothing else. */
class TableFinder {
  readonly #model: Model;
  readonly #main: Body;
  readonly #guess: TargetGuess;
  readonly #registers: Registers;

  constructor(model: Model, guess: TargetGuess) {
    this.#model = model;
    this.#main = model.bodies[0] as Body;
    this.#guess = guess;
    this.#registers = new Registers(model, this.#main);
  }

  run(replicated: readonly Body[]): ReadonlyMap<string, readonly Table[]> {
    const parts = replicated.flatMap((body) => this.#partOf(body) ?? []);
    const found = new Map<string, readonly Table[]>();
    for (const object of new Set(parts.map((part) => part.object))) {
      const own = parts.filter((part) => part.object === object).sort((a, b) => (a.first < b.first ? -1 : 1));
      const accesses = this.#accesses(object, own);
      if (accesses === null) continue;
      const last = BigInt(Math.floor(object.size / (own[0] as TablePart).bytes));
      const tables = own.map(({ body, first, bytes }, i): Table => {
        return { body, object, first, end: own[i + 1]?.first ?? last, bytes };
      });
      for (const { key, store } of accesses)
        found.set(
          key,
          tables.filter((_, i) => store === null || own[i]?.stores.has(store)),
        );
    }
    return found;
  }

  /** Where every creation of a thread of the body leaves its identifier. */
  #partOf(replicated: Body): TablePart | null {
    const numbers = new Set(this.#registers.numbers(replicated));
    const stores = this.#main.nodes.flatMap((node) => {
      const number = node.kind === 'store' ? this.#numberIn(node) : null;
      return node.kind === 'store' && number !== null && numbers.has(number) ? [{ node, number }] : [];
    });
    const objects = stores.map(({ node }) => objectOf(node, this.#model, this.#guess));
    const [object] = objects;
    if (!object || objects.some((each) => each !== object)) return null;
    const stored = new Set(stores.map(({ number }) => number));
    if (numbers.size !== stores.length || stored.size !== numbers.size) return null;
    const bytes = bytesOf((stores[0] as { readonly node: RawStore }).node, this.#model);
    if (!this.#isThere(object) || object.size < 2 * bytes || !hasElements(object, bytes)) return null;
    const lows = stores.flatMap(({ node }) => {
      const { places, ranges } = this.#guess.targetsOf(node.address, bytes);
      return [...places, ...ranges.map(({ low }) => low)];
    });
    const lowest = lows.reduce((a, b) => (a < b ? a : b), object.base + BigInt(object.size));
    const first = (lowest - object.base) / BigInt(bytes);
    return { body: replicated.id, object, first, bytes, stores: new Set(stores.map(({ node }) => node)) };
  }

  /** The number whose identifier is stored, if it is one. */
  #numberIn({ value }: RawStore): Term | null {
    const { graph } = this.#model;
    const { constant, rest } = splitSum(graph, this.#registers.expand(value));
    return constant === 1n && rest !== null && graph.operationOf(rest) === 'zext' ? graph.operand(rest, 0) : rest;
  }

  #isThere(object: GraphObject): boolean {
    if (object.kind === 'static') return true;
    return isMains(this.#model, object, this.#guess) && isEnteredFirst(this.#main, object.id);
  }

  /** Null unless all accesses are main's, to whole elements, and it is stored to by creations alone. */
  #accesses(
    object: GraphObject,
    parts: readonly TablePart[],
  ): readonly { readonly key: string; readonly store: RawStore | null }[] | null {
    const model = this.#model;
    const { bytes } = parts[0] as TablePart;
    const found: { readonly key: string; readonly store: RawStore | null }[] = [];
    for (const body of model.bodies) {
      for (const [i, node] of body.nodes.entries()) {
        if (node.kind !== 'load' && node.kind !== 'store') continue;
        if (!touches(this.#guess.targetsOf(node.address, bytesOf(node, model)), object)) continue;
        if (body.id !== 0 || bytesOf(node, model) !== bytes || objectOf(node, model, this.#guess) !== object)
          return null;
        if (indexIn(object, node, model) === null) return null;
        const store = node.kind === 'store' ? node : null;
        if (store !== null && !parts.some(({ stores }) => stores.has(store))) return null;
        found.push({ key: peerKey(body, i), store });
      }
    }
    return found;
  }
}

/** A table, before it is known where the next one in its array begins. */
interface TablePart extends Omit<Table, 'end'> {
  readonly stores: ReadonlySet<RawStore>;
}

/** The only object that an access can go to. */
function objectOf(node: RawAccess, model: Model, guess: TargetGuess): GraphObject | null {
  const targets = guess.targetsOf(node.address, bytesOf(node, model));
  const found = model.objects.filter((object) => touches(targets, object));
  return found.length === 1 ? (found[0] as GraphObject) : null;
}

/** Nobody else makes it or frees it. */
function isMains({ bodies }: Model, object: GraphObject, guess: TargetGuess): boolean {
  if (object.kind !== 'heap') return object.owner === 0;
  return bodies.every(({ id, nodes }) =>
    nodes.every((node) => {
      if (node.kind === 'allocate') return !node.objects.includes(object.id);
      if (id === 0) return true;
      if (node.kind === 'free') return !touches(guess.targetsOf(node.address, 1), object);
      return node.kind !== 'enter' || node.object !== object.id;
    }),
  );
}

function isEnteredFirst(main: Body, object: number): boolean {
  const before = beforeThreads(main);
  return main.nodes.every((node, i) => node.kind !== 'enter' || node.object !== object || before.has(i));
}

/**
 * Where main neither creates nor joins any more, guesses that no thread is left: an obligation of the proof, by which
 * the end of main is its own business (split-ending.ts).
 */
export function assertEnding({ bodies }: Model, plan: PeerPlan): void {
  const [main] = bodies as [Body];
  const { nodes } = main;
  const isBusy = (i: number) => nodes[i]?.kind === 'spawn' || plan.accesses.get(peerKey(main, i))?.kind === 'other';
  const busy = reachingTo(nodes, isBusy);
  const isOfInterest = ({ kind }: AnyNode) => kind === 'load' || kind === 'store' || kind === 'free';
  const ending = new Set(nodes.flatMap((_, i) => (busy.has(i) ? [] : [i])));
  if (busy.size === 0 || ![...ending].some((i) => isOfInterest(nodes[i] as AnyNode))) return;
  const { length } = nodes;
  for (let i = 0; i < length; i++) {
    const node = nodes[i] as AnyNode;
    if (ending.has(i) || !node.next.some((next) => ending.has(next))) continue;
    const next = node.next.map((each) => {
      if (!ending.has(each)) return each;
      const { loc, isModel } = nodes[each] as AnyNode;
      return nodes.push({ kind: 'alone', loc, isModel, next: [each] }) - 1;
    });
    nodes[i] = { ...node, next };
  }
}

/** The nodes from which some of these are reached. */
function reachingTo(nodes: readonly AnyNode[], isWanted: (node: number) => boolean): Set<number> {
  const before = predecessorsOf(nodes);
  const found = new Set<number>();
  const work = nodes.flatMap((_, i) => (isWanted(i) ? [i] : []));
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    for (const each of before[at] as number[]) work.push(each);
  }
  return found;
}

// ---------------------------------------------------------------- numbering

/**
 * Numbers the threads of each body in the order of their creation: any numbering is as good as another that keeps them
 * apart, and numbers the same threads as running (inline-threads.ts refuses programs that could tell). `self` and the
 * count begin with 0, like the places of a table and the variables of loops, so that clauses can compare them.
 */
export function numberThreads(model: Model, plan: PeerPlan): void {
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const room = (BigInt(RUNNING_THREADS) - plan.first) / BigInt(replicated.length);
  model.peers = replicated.map((body, i) =>
    numberBody(model, plan, body, { first: plan.first + BigInt(i) * room, room }),
  );
}

function numberBody(
  model: Model,
  plan: PeerPlan,
  replicated: Body,
  { first, room }: { readonly first: bigint; readonly room: bigint },
): Peers {
  const { graph, variables } = model;
  const isOnly = model.bodies.every(({ id, isReplicated }) => !isReplicated || id === replicated.id);
  const name = isOnly ? 'created' : `created(${replicated.name})`;
  const created = addVariable(model, { name, width: 32, owner: SHARED, kind: 'cell', signed: true, initial: 0n });
  const self = (variables[replicated.self as number] as Variable).term;
  const number = graph.add(self, graph.constant(32, first));
  const rebuilder = new TermRebuilder(graph, graph, (term) => (term === self ? number : term));
  replicated.nodes = replicated.nodes.map((node) => mapTerms(node, (term) => rebuilder.rebuild(term)));
  for (const body of model.bodies) {
    const { length } = body.nodes;
    for (let i = 0; i < length; i++) {
      const node = body.nodes[i] as AnyNode;
      if (node.kind !== 'spawn' || node.body !== replicated.id) continue;
      const { loc, isModel, next } = node;
      const assignments = [{ variable: created.id, value: graph.add(created.term, graph.constant(32, 1n)) }];
      body.nodes.push({ kind: 'set', assignments, loc, isModel, next });
      body.nodes.push({ ...node, order: created.term, next: [body.nodes.length - 1] });
      // That they are no more than can run is an obligation of the proof.
      const condition = graph.less('ult', created.term, graph.constant(32, room));
      body.nodes[i] = { kind: 'assert', check: null, condition, loc, isModel, next: [body.nodes.length - 1] };
    }
  }
  const cells = new Set([...plan.arrays].map((array) => addCell(model, replicated, array)));
  return { body: replicated.id, first, room, created: created.id, cells };
}

function addCell(model: Model, replicated: Body, { name, size }: GraphObject): number {
  const width = (8 * size) / ELEMENTS;
  return addVariable(model, { name: `${name}[self]`, width, owner: replicated.id, kind: 'cell' }).id;
}

/**
 * Threads of a replicated body as main sees them, one by one: whom it joins. The models keep what others may know of a
 * thread in arrays by its number (`finished`, `status`, `result`). Where there is one replicated body, an element of
 * these belongs to the thread with that number, as a cell that each thread has for itself; main gets at it by the
 * number, which names a *peer* (walk-step.ts tells why it may be looked for among the slots). Threads are numbered as
 * they are created, so that those below the count are there and no others.
 *
 * A *table* is an array in which main keeps the identifiers of its threads, each at the place of its number: what is
 * read there is then known from the place. That it is so is guessed here and asserted at every access.
 *
 * Left out, so that joins wait for nobody: several replicated bodies, joins by threads other than main, and arrays
 * that are filled in another order.
 */

import type { Term, TermGraph } from '../../values/terms.ts';
import { addVariable } from './add-variable.ts';
import { beforeThreads } from './before-threads.ts';
import {
  type AnyNode,
  type Body,
  type GraphObject,
  type Model,
  type RawNode,
  RUNNING_THREADS,
  reachableFrom,
  SHARED,
  type Variable,
} from './graph.ts';
import type { TargetGuess, Targets } from './guess-targets.ts';
import { mapTerms, writtenBy } from './node-terms.ts';
import { TermRebuilder } from './rebuild-term.ts';

type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;

/** Whose element of an array by number is accessed. */
export type PeerAccess = 'own' | 'new' | 'other';

export interface Table {
  readonly object: GraphObject;
  /** Where the identifier of the first thread is. */
  readonly first: bigint;
  /** Of an element. */
  readonly bytes: number;
  /** By `body:node`. */
  readonly accesses: ReadonlySet<string>;
}

export interface PeerPlan {
  readonly arrays: ReadonlySet<GraphObject>;
  /** By `body:node`. */
  readonly accesses: ReadonlyMap<string, PeerAccess>;
  readonly table: Table | null;
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
  return bodies.filter(({ isReplicated }) => isReplicated).length === 1 && bodies[0]?.nodes.some(isJoin) === true;
}

/** Null where joins are not followed. */
export function findPeers(model: Model, guess: TargetGuess): PeerPlan | null {
  const replicated = model.bodies.filter(({ isReplicated }) => isReplicated);
  const arrays = new Set(model.objects.filter(isByNumber));
  if (replicated.length !== 1 || arrays.size === 0 || !areLast(model, replicated[0] as Body)) return null;
  const accesses = new Map<string, PeerAccess>();
  for (const body of model.bodies) {
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
      const access = registers.whose(index.index, replicated[0] as Body);
      if (access === 'other' && body.id !== 0) return null;
      accesses.set(peerKey(body, i), access);
    }
  }
  if (![...accesses.values()].includes('other')) return null;
  return { arrays, accesses, table: findTable(model, replicated[0] as Body, guess) };
}

/**
 * Whether main alone creates threads, those of any number after all others: then the first of them has the number of
 * its body, the last, and the others follow. Which of them run is then as in the program.
 */
function areLast({ bodies }: Model, replicated: Body): boolean {
  const [main, ...others] = bodies as [Body, ...Body[]];
  if (replicated.id !== bodies.length - 1) return false;
  if (others.some(({ nodes }) => nodes.some(({ kind }) => kind === 'spawn'))) return false;
  const sites = main.nodes.flatMap((node, i) => (node.kind === 'spawn' ? [{ at: i, body: node.body }] : []));
  const late = sites.filter(({ body }) => body === replicated.id).map(({ at }) => at);
  const after = reachableFrom(main.nodes, late);
  return sites.every(({ at, body }) => {
    if (body === replicated.id) return true;
    const cut = main.nodes.map((node, i) => (i === at ? { ...node, next: [] } : node));
    const without = reachableFrom(cut, [main.entry]);
    return !after.has(at) && !late.some((each) => without.has(each));
  });
}

function isByNumber({ source, kind, size, name }: GraphObject): boolean {
  return kind === 'static' && source?.isModel === true && size % ELEMENTS === 0 && ARRAYS.test(name);
}

function touches({ places, ranges }: Targets, { base, size, id }: GraphObject): boolean {
  return (
    ranges.some(({ object }) => object.id === id) ||
    places.some((place) => place >= base && place < base + BigInt(size))
  );
}

/** It is the element of a fixed thread. */
function isFixed({ bodies }: Model, { base, size }: GraphObject, place: bigint): boolean {
  return place < base + BigInt((bodies.length - 1) * (size / ELEMENTS));
}

export function bytesOf(node: RawAccess, { graph, variables }: Model): number {
  return (node.kind === 'load' ? (variables[node.variable] as Variable).width : graph.widthOf(node.value)) / 8;
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
  whose(index: Term, replicated: Body): PeerAccess {
    const { variables } = this.#model;
    const term = this.expand(index);
    if (this.#body === replicated && term === variables[replicated.self as number]?.term) return 'own';
    return this.numbers(replicated).some((number) => number === term) ? 'new' : 'other';
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

/** The array in which every creation of such a thread leaves its identifier, and nothing else is stored. */
function findTable(model: Model, replicated: Body, guess: TargetGuess): Table | null {
  const [main] = model.bodies as [Body];
  const { graph } = model;
  const registers = new Registers(model, main);
  const numbers = new Set(registers.numbers(replicated));
  const idOf = (node: RawAccess & { kind: 'store' }) => {
    const { constant, rest } = splitSum(graph, registers.expand(node.value));
    return constant === 1n && rest !== null && graph.operationOf(rest) === 'zext' ? graph.operand(rest, 0) : rest;
  };
  const stores = main.nodes.flatMap((node) => {
    const number = node.kind === 'store' ? idOf(node) : null;
    return node.kind === 'store' && number !== null && numbers.has(number) ? [{ node, number }] : [];
  });
  const objects = stores.map(({ node }) => objectOf(node, model, guess));
  const [object] = objects;
  if (!object || objects.some((each) => each !== object)) return null;
  if (numbers.size !== stores.length || new Set(stores.map(({ number }) => number)).size !== numbers.size) return null;
  const isThere = object.kind === 'static' || (isMains(model, object, guess) && isEnteredFirst(main, object.id));
  const size = bytesOf((stores[0] as { readonly node: RawAccess }).node, model);
  if (!isThere || object.size < 2 * size || !hasElements(object, size)) return null;
  const accesses = accessesOfTable(
    object,
    size,
    stores.map(({ node }) => node),
    model,
    guess,
  );
  if (accesses === null) return null;
  const lows = stores.flatMap(({ node }) => {
    const { places, ranges } = guess.targetsOf(node.address, size);
    return [...places, ...ranges.map(({ low }) => low)];
  });
  const lowest = lows.reduce((a, b) => (a < b ? a : b), object.base + BigInt(object.size));
  return { object, first: (lowest - object.base) / BigInt(size), bytes: size, accesses };
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

/** Null unless all accesses are main's, to whole elements, and it is stored to by these alone. */
function accessesOfTable(
  object: GraphObject,
  size: number,
  stores: readonly RawAccess[],
  model: Model,
  guess: TargetGuess,
): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const body of model.bodies) {
    for (const [i, node] of body.nodes.entries()) {
      if (node.kind !== 'load' && node.kind !== 'store') continue;
      if (!touches(guess.targetsOf(node.address, bytesOf(node, model)), object)) continue;
      if (body.id !== 0 || bytesOf(node, model) !== size || objectOf(node, model, guess) !== object) return null;
      if (indexIn(object, node, model) === null || (node.kind === 'store' && !stores.includes(node))) return null;
      found.add(peerKey(body, i));
    }
  }
  return found;
}

/**
 * Where main neither creates nor joins any more, guesses that no thread is left: an obligation of the proof, by which
 * the end of main is its own business (split-ending.ts).
 */
export function assertEnding({ bodies }: Model, plan: PeerPlan): void {
  const [main] = bodies as [Body];
  const { nodes } = main;
  const isBusy = (i: number) => nodes[i]?.kind === 'spawn' || plan.accesses.get(peerKey(main, i)) === 'other';
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
  const before: number[][] = nodes.map(() => []);
  nodes.forEach(({ next }, i) => {
    for (const each of next) before[each]?.push(i);
  });
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
 * Numbers the threads in the order of their creation: any numbering is as good as another that keeps them apart, and
 * numbers the same threads as running (inline-threads.ts refuses programs that could tell). `self` and the count begin
 * with 0, like the places of a table and the variables of loops, so that clauses can compare them.
 */
export function numberThreads(model: Model, plan: PeerPlan): void {
  const { graph, variables } = model;
  const replicated = model.bodies.find(({ isReplicated }) => isReplicated) as Body;
  const first = BigInt(replicated.id);
  const unit = first;
  const made = {
    name: 'created',
    width: 32,
    owner: SHARED,
    kind: 'cell',
    signed: true,
    initial: first - unit,
  } as const;
  const created = addVariable(model, made);
  const { id } = created;
  const self = (variables[replicated.self as number] as Variable).term;
  const number = graph.add(self, graph.constant(32, unit));
  const rebuilder = new TermRebuilder(graph, graph, (term) => (term === self ? number : term));
  replicated.nodes = replicated.nodes.map((node) => mapTerms(node, (term) => rebuilder.rebuild(term)));
  for (const body of model.bodies) {
    const { length } = body.nodes;
    for (let i = 0; i < length; i++) {
      const node = body.nodes[i] as AnyNode;
      if (node.kind !== 'spawn' || node.body !== replicated.id) continue;
      const { loc, isModel, next } = node;
      const assignments = [{ variable: id, value: graph.add(created.term, graph.constant(32, 1n)) }];
      body.nodes.push({ kind: 'set', assignments, loc, isModel, next });
      body.nodes.push({ ...node, order: created.term, next: [body.nodes.length - 1] });
      // That they are no more than can run is an obligation of the proof.
      const condition = graph.less('ult', created.term, graph.constant(32, BigInt(RUNNING_THREADS) - unit));
      body.nodes[i] = { kind: 'assert', check: null, condition, loc, isModel, next: [body.nodes.length - 1] };
    }
  }
  const cells = new Set([...plan.arrays].map((array) => addCell(model, replicated, array)));
  model.peers = { body: replicated.id, first, unit, created: id, cells };
}

function addCell(model: Model, replicated: Body, { name, size }: GraphObject): number {
  const width = (8 * size) / ELEMENTS;
  return addVariable(model, { name: `${name}[self]`, width, owner: replicated.id, kind: 'cell' }).id;
}

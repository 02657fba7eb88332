/**
 * Accesses become assignments of cells. Each is split by the places that it was guessed to go to (guess-targets.ts); an
 * assertion before it says that it goes nowhere else, so that a wrong guess is a proof that fails, never a wrong one.
 * Likewise what is stored where places are not told apart is asserted to be what was guessed to be there.
 * The same assertion says that the place is alive and may be written: it is the check `pointer`, whether or not that
 * was asked for. But where it was not, an access to a local of another thread that has been left ends the execution, as
 * everywhere (docs/semantics.md).
 */

import type { CheckName } from '../../program/check-names.ts';
import { canonicalFloat } from '../../values/float-terms.ts';
import type { Term } from '../../values/terms.ts';
import { AccessTargets, type RawAccess, type ResolvedTarget, type ResolveOptions } from './access-targets.ts';
import { addTemporary } from './add-variable.ts';
import { joinCells, splitValue } from './cell-variables.ts';
import { endsAtOnce, Lifetimes } from './find-lifetimes.ts';
import { assertEnding, findPeers, mayHavePeers, numberThreads } from './find-peers.ts';
import {
  type AnyNode,
  type Assignment,
  type Body,
  findCyclic,
  type GraphObject,
  type Model,
  type Node,
  type RawNode,
  RepeatedAllocationError,
  SHARED,
  type Variable,
} from './graph.ts';
import { RaceGuards } from './guard-races.ts';
import { TargetGuess } from './guess-targets.ts';
import { HeapInstances, singleAllocations } from './heap-instances.ts';
import { requireUnseenNumbers } from './looks-at-identifiers.ts';
import { PeerAccesses } from './resolve-peers.ts';
import { simplifyGraph } from './simplify-graph.ts';
import { RaceWatch } from './watch-races.ts';
import { anyWithin, isWithin } from './within-set.ts';

type RawFree = Extract<RawNode, { kind: 'free' }>;

export function resolveAccesses(model: Model, options: ResolveOptions): void {
  // Where threads of any number are joined, addresses are to be seen as they are computed.
  if (mayHavePeers(model)) simplifyGraph(model, { slice: false, forward: true });
  settleAllocations(model);
  // Of the program as it is, before nodes are added.
  const lifetimes = new Lifetimes(model);
  const races = options.checks.has('race') ? new RaceWatch(model, options.isWeak) : null;
  let guess = new TargetGuess(model);
  guess.run();
  const peers = settlePeers(model, guess, options);
  if (peers === null) requireUnseenNumbers(model, guess);
  else {
    guess = new TargetGuess(model);
    guess.run();
  }
  const targets = new AccessTargets(model, options, guess, lifetimes);
  noteAccesses(model, targets, peers);
  const heap = new HeapInstances(model, targets.cells, (object) => targets.aliveOf(object) as Variable);
  const guards = races && new RaceGuards(model, targets, races);
  new AccessResolver(model, options.checks, { targets, peers, heap, races: guards }).run();
  heap.finish();
  targets.elements?.finish();
}

/** One object a place, where it is allocated once; refuses what is not, unless there are instances for it. */
function settleAllocations(model: Model): void {
  const cyclic = model.bodies.map(({ nodes }) => findCyclic(nodes));
  const isRepeated = ({ id, isReplicated }: Body, at: number) => isReplicated || cyclic[id]?.has(at) === true;
  for (const body of model.bodies) {
    body.nodes.forEach((node, at) => {
      const isHeap = node.kind === 'enter' && model.objects[node.object]?.kind === 'heap';
      if (isHeap && isRepeated(body, at)) throw new RepeatedAllocationError(node.loc);
    });
  }
  singleAllocations(model, isRepeated);
}

/** Joins of threads of any number, which are numbered for that; null where there are none. */
function settlePeers(model: Model, guess: TargetGuess, { ending }: ResolveOptions): PeerAccesses | null {
  const plan = findPeers(model, guess);
  if (plan === null) return null;
  if (ending) assertEnding(model, plan);
  numberThreads(model, plan);
  return new PeerAccesses(model, plan);
}

function noteAccesses(model: Model, targets: AccessTargets, peers: PeerAccesses | null): void {
  for (const body of model.bodies) {
    body.nodes.forEach((node, i) => {
      if (node.kind !== 'load' && node.kind !== 'store') return;
      if (!peers?.has(body, i)) targets.note(node, body, i);
      else for (const { object } of targets.targetsOf(node, body, i).ranges) targets.elements?.exclude(object);
    });
  }
  targets.divide();
}

/** What is known of the accesses of a program. */
interface AccessFacts {
  readonly targets: AccessTargets;
  readonly peers: PeerAccesses | null;
  readonly heap: HeapInstances;
  readonly races: RaceGuards | null;
}

class AccessResolver {
  readonly #model: Model;
  readonly #checks: ReadonlySet<CheckName>;
  readonly #targets: AccessTargets;
  readonly #peers: PeerAccesses | null;
  readonly #heap: HeapInstances;
  readonly #races: RaceGuards | null;

  constructor(model: Model, checks: ReadonlySet<CheckName>, { targets, peers, heap, races }: AccessFacts) {
    this.#model = model;
    this.#checks = checks;
    this.#targets = targets;
    this.#peers = peers;
    this.#heap = heap;
    this.#races = races;
  }

  run(): void {
    for (const body of this.#model.bodies) {
      const { length } = body.nodes;
      for (let i = 0; i < length; i++) this.#resolve(body, i);
    }
  }

  #resolve(body: Body, at: number): void {
    const node = body.nodes[at] as AnyNode;
    switch (node.kind) {
      case 'load':
        body.nodes[at] =
          this.#resolvePeer(node, body, at) ?? this.#guardRace(node, body, at, (each) => this.#load(each, body, at));
        return;
      case 'store':
        body.nodes[at] =
          this.#resolvePeer(node, body, at) ?? this.#guardRace(node, body, at, (each) => this.#store(each, body, at));
        return;
      case 'enter':
        body.nodes[at] = this.#enter(node, body);
        return;
      case 'allocate':
        body.nodes[at] = this.#heap.allocate(node, body);
        return;
      case 'leave':
        body.nodes[at] = this.#leave(node, body, at);
        return;
      case 'free':
        body.nodes[at] = this.#guardRace(node, body, at, (each) => this.#free(each, body));
        return;
      default:
        return;
    }
  }

  #resolvePeer(node: RawAccess, body: Body, at: number): Node | null {
    const { graph } = this.#model;
    const isThere = (table: GraphObject) => {
      const alive = table.kind === 'heap' ? (this.#targets.aliveOf(table) as Variable).term : graph.true;
      return graph.and(alive, this.#targets.isBeforeEnd(node, table));
    };
    return this.#peers?.resolve(node, body, at, isThere) ?? null;
  }

  /** The nodes of an access with the assertion before them; what ends a lifetime does not come in between. */
  #guarded(access: readonly Node[], places: readonly ResolvedTarget[], body: Body): Node {
    const { graph } = this.#model;
    const { loc, isModel, next } = access[access.length - 1] as Node;
    const proved = graph.orAll(places.map((place) => place.proved));
    const condition = graph.orAll(places.map((place) => place.condition));
    const before: Node[] = [];
    if (!graph.isTrue(proved)) before.push({ kind: 'assert', condition: proved, check: null, loc, isModel, next });
    if (condition !== proved) before.push({ kind: 'assume', condition, routine: null, loc, isModel, next });
    const nodes = [...before, ...access];
    if (!places.some(({ mayEnd }) => mayEnd)) return chain(nodes, body);
    return chain([{ kind: 'begin', loc, isModel, next }, ...nodes, { kind: 'end', loc, isModel, next }], body);
  }

  #load(node: Extract<RawNode, { kind: 'load' }>, body: Body, at: number): Node {
    const { graph, variables } = this.#model;
    const { loc, isModel, next } = node;
    const places = this.#targets.placesOf(node, body, at);
    const target = variables[node.variable] as Variable;
    if (places.length === 0) return this.#guarded([{ kind: 'stop', loc, isModel, next: [] }], places, body);
    let anything: Variable | null = null;
    const isFree = this.#races?.isFree(node, body, at) ?? false;
    const valueAt = ({ cells, pool, element }: ResolvedTarget): Term => {
      if (cells && !isFree) return joinCells(this.#model, cells);
      anything ??= addTemporary(this.#model, target, body);
      const other = pool === null || isFree ? anything.term : anyWithin(graph, anything.term, pool);
      return element === null || isFree ? other : graph.ite(element.isChosen, element.cell.term, other);
    };
    const [last, ...others] = [...places].reverse() as [ResolvedTarget, ...ResolvedTarget[]];
    const value = others.reduce((rest, place) => graph.ite(place.condition, valueAt(place), rest), valueAt(last));
    const loaded = node.isFloat ? canonicalFloat(graph, value) : value;
    const noted = this.#noteRead(body, at, places);
    const assignments = [{ variable: target.id, value: loaded }, ...noted];
    const set: Node = { kind: 'set', assignments, loc, isModel, next };
    const temporary = anything as Variable | null;
    if (temporary === null) return this.#guarded([set], places, body);
    this.#model.blurred.add(temporary.id);
    const havoc: Node = { kind: 'havoc', variables: [temporary.id], isBool: false, loc, isModel, next };
    return this.#guarded([havoc, set], places, body);
  }

  #noteRead(body: Body, at: number, places: readonly ResolvedTarget[]): Assignment[] {
    const { elements: chosen } = this.#targets;
    const isOnly = places.length === 1;
    const elements = places.flatMap(({ element, condition }) =>
      element === null ? [] : [{ isChosen: element.isChosen, condition: isOnly ? this.#model.graph.true : condition }],
    );
    return chosen && elements.length > 0 ? [chosen.noteRead(body, at, elements)] : [];
  }

  #store(node: Extract<RawNode, { kind: 'store' }>, body: Body, at: number): Node {
    const { graph } = this.#model;
    const { loc, isModel, next } = node;
    const places = this.#targets.placesOf(node, body, at);
    if (places.length === 0) return this.#guarded([{ kind: 'stop', loc, isModel, next: [] }], places, body);
    const stored = new Map<number, Assignment>();
    for (const { condition, cells, element } of places) {
      if (!cells) this.#heap.noteBlurred(node, node.value);
      if (element) {
        const { cell, isChosen } = element;
        const before = stored.get(cell.id)?.value ?? cell.term;
        const isStored = graph.and(condition, isChosen);
        stored.set(cell.id, { variable: cell.id, value: graph.ite(isStored, node.value, before) });
        for (const each of this.#heap.noteStore(cell.id, isStored)) stored.set(each.variable, each);
      }
      if (!cells) continue;
      const values = splitValue(this.#model, cells, node.value);
      cells.forEach((cell, i) => {
        const before = stored.get(cell.id)?.value ?? cell.term;
        // With one place, the assertion before says that it is this one.
        const value = places.length === 1 ? (values[i] as Term) : graph.ite(condition, values[i] as Term, before);
        stored.set(cell.id, { variable: cell.id, value });
        for (const each of this.#heap.noteStore(cell.id, condition)) stored.set(each.variable, each);
      });
    }
    const condition = this.#isInPool(node.value, places);
    const inPool: Node = { kind: 'assert', condition, check: null, loc, isModel, next };
    const set: Node = { kind: 'set', assignments: [...stored.values()], loc, isModel, next };
    return this.#guarded(graph.isTrue(condition) ? [set] : [inPool, set], places, body);
  }

  #enter(node: Extract<RawNode, { kind: 'enter' }>, body: Body): Node {
    const { graph, objects, variables } = this.#model;
    const { loc, isModel, next } = node;
    const object = objects[node.object] as GraphObject;
    const cells = this.#targets.cells.of(object);
    const alive = this.#targets.aliveOf(object);
    const started: Assignment[] = alive ? [{ variable: alive.id, value: graph.true }] : [];
    const width = (cell: number) => (variables[cell] as Variable).width;
    if (node.zeroed) {
      const zeros = cells.map((cell) => ({ variable: cell, value: graph.constant(width(cell), 0n) }));
      return { kind: 'set', assignments: [...started, ...zeros], loc, isModel, next };
    }
    const havoc: Node = { kind: 'havoc', variables: cells, isBool: false, loc, isModel, next };
    return started.length === 0
      ? havoc
      : chain([{ kind: 'set', assignments: started, loc, isModel, next }, havoc], body);
  }

  #leave({ objects, loc, isModel, next }: Extract<RawNode, { kind: 'leave' }>, body: Body, at: number): Node {
    const { graph } = this.#model;
    const ended = objects.flatMap((object) => this.#targets.aliveOf({ id: object }) ?? []);
    if (ended.length === 0 || endsAtOnce(body.nodes, at)) return { kind: 'skip', loc, isModel, next };
    const assignments = ended.map(({ id }) => ({ variable: id, value: graph.false }));
    return { kind: 'set', assignments, loc, isModel, next };
  }

  /** Nothing for a null pointer; else the start of a live allocation, which ends. */
  #free(node: RawFree, body: Body): Node {
    const { graph, objects, pointerWidth } = this.#model;
    const { loc, isModel, next } = node;
    const isAt = (address: bigint) => graph.eq(node.address, graph.constant(pointerWidth, address));
    const heap = objects.filter(({ kind, owner }) => kind === 'heap' && (owner === SHARED || owner === body.id));
    const assignments = heap.map((object): Assignment => {
      const alive = this.#targets.aliveOf(object) as Variable;
      return { variable: alive.id, value: graph.and(alive.term, graph.not(isAt(object.base))) };
    });
    const isFine = graph.orAll([
      isAt(0n),
      ...heap.map((object) => graph.and(isAt(object.base), (this.#targets.aliveOf(object) as Variable).term)),
    ]);
    const isChecked = this.#checks.has('free');
    return chain(
      [
        { kind: 'begin', loc, isModel, next },
        isChecked
          ? { kind: 'assert', condition: isFine, check: 'free', loc, isModel, next }
          : { kind: 'assume', condition: isFine, routine: null, loc, isModel, next },
        { kind: 'set', assignments, loc, isModel, next },
        { kind: 'end', loc, isModel, next },
      ],
      body,
    );
  }

  #guardRace<T extends RawAccess | RawFree>(node: T, body: Body, at: number, resolve: (node: T) => Node): Node {
    return this.#races?.guard(node, body, at, resolve) ?? resolve(node);
  }

  /** That a value is one of those that its place, if it is blurred, was guessed to hold. */
  #isInPool(value: Term, places: readonly ResolvedTarget[]): Term {
    const { graph } = this.#model;
    return graph.andAll(
      places.map(({ condition, pool }) => {
        const within = pool === null ? graph.true : isWithin(graph, value, pool);
        return places.length === 1 ? within : graph.or(graph.not(condition), within);
      }),
    );
  }
}

/** The nodes one after the other; the first is to stand where the access stood, the others are added to the body. */
function chain(nodes: readonly Node[], body: Body): Node {
  let following: Node | null = null;
  for (const node of [...nodes].reverse()) {
    if (following === null || node.kind === 'stop') following = node;
    else {
      body.nodes.push(following);
      following = { ...node, next: [body.nodes.length - 1] };
    }
  }
  return following as Node;
}

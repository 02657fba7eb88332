/**
 * Accesses become assignments of cells. Each is split by the places that it was guessed to go to (guess-targets.ts); an
 * assertion before it says that it goes nowhere else, so that a wrong guess is a proof that fails, never a wrong one.
 * Likewise what is stored where places are not told apart is asserted to be what was guessed to be there.
 * The same assertion says that the place is alive and may be written: it is the check `pointer`, whether or not that
 * was asked for. But where it was not, an access to a local of another thread that has been left ends the execution, as
 * everywhere (docs/semantics.md).
 */

import type { CheckName } from '../../program/check-names.ts';
import type { DataModel } from '../../program/data-model.ts';
import { canonicalFloat } from '../../values/float-terms.ts';
import type { Term } from '../../values/terms.ts';
import { sameSet, topSet, type ValueSet } from '../../values/value-set.ts';
import { CellVariables, joinCells, splitValue } from './cell-variables.ts';
import { type ChosenElement, ChosenElements } from './chosen-elements.ts';
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
  type ObjectLength,
  type RawNode,
  RepeatedAllocationError,
  SHARED,
  type Variable,
} from './graph.ts';
import { objectAt, TargetGuess, type Targets } from './guess-targets.ts';
import { HeapInstances, singleAllocations } from './heap-instances.ts';
import { PeerAccesses } from './resolve-peers.ts';
import { isBelowIndex, isWithinUnits } from './scaled-index.ts';
import { simplifyGraph } from './simplify-graph.ts';
import { RaceWatch, type WatchedPlace } from './watch-races.ts';
import { anyWithin, isWithin } from './within-set.ts';

export interface ResolveOptions {
  readonly dataModel: DataModel;
  /** Without `free` or `pointer`, a wrong one may end the execution; with `race`, data races are watched for. */
  readonly checks: ReadonlySet<CheckName>;
  /** Guess that main is alone once it has joined its threads (find-peers.ts). */
  readonly ending: boolean;
  /** Follow one element of each array whose places are not told apart (chosen-elements.ts). */
  readonly elements: boolean;
}

export function resolveAccesses(model: Model, options: ResolveOptions): void {
  // Where threads of any number are joined, addresses are to be seen as they are computed.
  if (mayHavePeers(model)) simplifyGraph(model, { slice: false, forward: true });
  settleAllocations(model);
  new AccessResolver(model, options).run();
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

type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;
type RawFree = Extract<RawNode, { kind: 'free' }>;
/** One place of an access. */
interface ResolvedTarget {
  readonly object: GraphObject;
  /** That the access goes there, and that the object is alive. */
  readonly condition: Term;
  /** What has to be proved of that; the rest ends the execution where it does not hold. */
  readonly proved: Term;
  /** Null where it is blurred. */
  readonly cells: readonly Variable[] | null;
  /** What is there where it is blurred; null: anything. */
  readonly pool: ValueSet | null;
  /** Where it is blurred: the element that is followed. */
  readonly element: ChosenElement | null;
  readonly mayEnd: boolean;
}

class AccessResolver {
  readonly #model: Model;
  readonly #options: ResolveOptions;
  #guess: TargetGuess;
  #peers: PeerAccesses | null = null;
  #heap: HeapInstances | null = null;
  readonly #cells: CellVariables;
  readonly #lifetimes: Lifetimes;
  readonly #aliveCells = new Map<number, Variable>();
  /** Locals that other threads access and that may be left before. */
  readonly #left = new Set<number>();
  readonly #races: RaceWatch | null;
  #elements: ChosenElements | null = null;

  constructor(model: Model, options: ResolveOptions) {
    this.#model = model;
    this.#options = options;
    this.#guess = new TargetGuess(model);
    this.#cells = new CellVariables(model, options.dataModel);
    this.#lifetimes = new Lifetimes(model);
    this.#races = options.checks.has('race') ? new RaceWatch(model) : null;
  }

  run(): void {
    this.#guess.run();
    this.#findPeers();
    for (const object of this.#model.objects) if (object.length) this.#measure(object.length, object);
    if (this.#options.elements) this.#elements = new ChosenElements(this.#model, this.#guess);
    for (const body of this.#model.bodies) {
      body.nodes.forEach((node, i) => {
        if (node.kind !== 'load' && node.kind !== 'store') return;
        if (!this.#peers?.has(body, i)) this.#note(node, body, i);
        else for (const { object } of this.#targetsOf(node, body, i).ranges) this.#elements?.exclude(object);
      });
    }
    this.#cells.divide();
    this.#elements?.choose(this.#cells);
    for (const object of this.#model.objects)
      if (object.kind === 'heap' || this.#left.has(object.id)) this.#addAliveCell(object);
    const aliveOf = ({ id }: GraphObject) => this.#aliveCells.get(id) as Variable;
    this.#heap = new HeapInstances(this.#model, this.#cells, aliveOf);
    this.#noteRaces();
    for (const body of this.#model.bodies) {
      const { length } = body.nodes;
      for (let i = 0; i < length; i++) this.#resolve(body, i);
    }
    this.#heap.finish();
    this.#elements?.finish();
  }

  #findPeers(): void {
    const plan = findPeers(this.#model, this.#guess);
    if (plan === null) return;
    if (this.#options.ending) assertEnding(this.#model, plan);
    numberThreads(this.#model, plan);
    this.#peers = new PeerAccesses(this.#model, plan);
    this.#guess = new TargetGuess(this.#model);
    this.#guess.run();
  }

  #noteRaces(): void {
    const races = this.#races;
    if (!races) return;
    for (const body of this.#model.bodies) {
      body.nodes.forEach((node, i) => {
        if (node.kind === 'load' || node.kind === 'store' || node.kind === 'free')
          races.note(node, body, i, this.#watchedPlaces(node, body, i));
      });
    }
    races.choose();
  }

  /** What counts as touched by an access, or by the end of an allocation. */
  #watchedPlaces(node: RawAccess | RawFree, body: Body, at: number): WatchedPlace[] {
    const { graph, objects, pointerWidth } = this.#model;
    const place = (object: GraphObject, key: string, condition: Term): WatchedPlace => {
      const owner = object.kind === 'static' ? SHARED : object.owner;
      const { isModel: isOfModel = false, mayRace = false } = object.source ?? {};
      return { key, condition, owner, isOfModel, mayRace };
    };
    if (node.kind === 'free') {
      const heap = objects.filter(({ kind, owner }) => kind === 'heap' && (owner === SHARED || owner === body.id));
      const isAt = ({ base }: GraphObject) => graph.eq(node.address, graph.constant(pointerWidth, base));
      return heap.map((object) => place(object, `${object.name}${object.id}`, isAt(object)));
    }
    return this.#placesOf(node, body, at).flatMap(({ object, condition, cells }) => {
      const whole = `${object.name}${object.id}`;
      const parts = cells ? cells.map(({ id, name }) => place(object, `${name}${id}`, condition)) : [];
      const isWhole = cells === null || object.kind === 'heap';
      return isWhole ? [...parts, place(object, cells === null ? `${whole}…` : whole, condition)] : parts;
    });
  }

  /** The access, with what is to be done before it if it may race: all of it is one step. */
  #watched<T extends RawAccess | RawFree>(node: T, body: Body, at: number, resolve: (node: T) => Node): Node {
    const watch = this.#races?.watch(node, body, at, this.#watchedPlaces(node, body, at));
    if (!watch) return resolve(node);
    const { loc, isModel } = node;
    const add = (made: Node): number => body.nodes.push(made) - 1;
    const end = add({ kind: 'end', loc, isModel, next: node.next });
    const access = add(resolve({ ...node, next: [end] }));
    let first = access;
    if (watch.announced) {
      const choice = this.#addTemporary({ name: 'announces', width: 1 }, body);
      const stop = add({ kind: 'stop', loc, isModel, next: [] });
      // Behind the section: what was announced stands, although the thread never goes on.
      const left = add({ kind: 'end', loc, isModel, next: [stop] });
      const announce = add({ kind: 'set', assignments: watch.announced, loc, isModel, next: [left] });
      const branch = add({ kind: 'branch', condition: choice.term, loc, isModel, next: [announce, access] });
      first = add({ kind: 'havoc', variables: [choice.id], isBool: true, loc, isModel, next: [branch] });
    }
    const check = add({ kind: 'assert', condition: watch.condition, check: 'race', loc, isModel, next: [first] });
    return { kind: 'begin', loc, isModel, next: [check] };
  }

  // -------------------------------------------------------------- places

  #bytesOf(node: RawAccess): number {
    const { graph, variables } = this.#model;
    return (node.kind === 'load' ? (variables[node.variable] as Variable).width : graph.widthOf(node.value)) / 8;
  }

  #targetsOf(node: RawAccess, body: Body, at: number): Targets {
    const { places, ranges } = this.#guess.targetsOf(node.address, this.#bytesOf(node));
    const isOpen = (object: GraphObject | undefined) =>
      object !== undefined && this.#isOpen(object, body, at) && !(object.isConstant && node.kind === 'store');
    return {
      places: places.filter((place) => isOpen(objectAt(this.#model, place))),
      ranges: ranges.filter(({ object }) => isOpen(object)),
    };
  }

  /** Whether the object is there for the thread at that point, as far as that does not change. */
  #isOpen(object: GraphObject, body: Body, at: number): boolean {
    if (object.owner === SHARED) return true;
    // Whether an allocation is alive is seen when it is accessed.
    if (object.owner === body.id && object.kind === 'heap') return true;
    if (object.owner === body.id) return object.kind === 'thread' || this.#lifetimes.isAlive(object.id, body.id, at);
    const owner = this.#model.bodies[object.owner] as Body;
    if (owner.isReplicated || object.kind !== 'automatic') return false;
    return this.#lifetimes.isStable(object.id) || this.#lifetimes.endOnlyByLeaving(owner.id);
  }

  /** Whether the object may end while the body accesses it. */
  #mayEndFor({ id, kind, owner }: GraphObject, body: Body): boolean {
    return kind === 'heap' || (kind === 'automatic' && owner !== body.id && !this.#lifetimes.isStable(id));
  }

  #note(node: RawAccess, body: Body, at: number): void {
    const bytes = this.#bytesOf(node);
    const { places, ranges } = this.#targetsOf(node, body, at);
    for (const place of places) {
      const object = objectAt(this.#model, place) as GraphObject;
      this.#noteEnd(object, body);
      this.#cells.noteAccess(object, Number(place - object.base), bytes);
    }
    for (const range of ranges) {
      const { object, low, high } = range;
      this.#noteEnd(object, body);
      this.#elements?.note(range, 8 * bytes);
      this.#cells.blur(object, Number(low - object.base), Number(high - object.base) + bytes);
    }
  }

  #noteEnd(object: GraphObject, body: Body): void {
    if (object.kind !== 'heap' && this.#mayEndFor(object, body)) this.#left.add(object.id);
  }

  #addAliveCell(object: GraphObject): void {
    const { graph, variables } = this.#model;
    const id = variables.length;
    const name = `alive(${object.name})`;
    const set = topSet(1);
    const variable: Variable = {
      ...{ id, name, width: 1, owner: object.owner, kind: 'cell', signed: false },
      ...{ initial: 0n, set, term: graph.variable(set, name) },
    };
    variables.push(variable);
    this.#aliveCells.set(object.id, variable);
  }

  #placesOf(node: RawAccess, body: Body, at: number): ResolvedTarget[] {
    const { graph, pointerWidth } = this.#model;
    const bytes = this.#bytesOf(node);
    const { places, ranges } = this.#targetsOf(node, body, at);
    const constant = (value: bigint) => graph.constant(pointerWidth, value);
    const target = (
      object: GraphObject,
      isThere: Term,
      rest: Pick<ResolvedTarget, 'cells' | 'pool' | 'element'>,
    ): ResolvedTarget => {
      const mayEnd = this.#mayEndFor(object, body);
      const alive = mayEnd ? (this.#aliveCells.get(object.id) as Variable).term : graph.true;
      const condition = graph.and(graph.and(isThere, this.#isBeforeEnd(node, object, bytes)), alive);
      const isProved = object.kind === 'heap' || this.#options.checks.has('pointer');
      return { object, condition, proved: isProved ? condition : isThere, mayEnd, ...rest };
    };
    const found = places.map((place) => {
      const object = objectAt(this.#model, place) as GraphObject;
      const cells = this.#cells.at(object, Number(place - object.base), bytes);
      const pool = cells === null ? this.#poolOf(object, place, bytes) : null;
      const element = cells === null ? this.#elementAt(object, place, bytes, constant(place)) : null;
      return target(object, graph.eq(node.address, constant(place)), { cells, pool, element });
    });
    for (const { object, low, high } of ranges) {
      const offset = graph.sub(node.address, constant(low));
      const pool = this.#poolOf(object, low, bytes);
      const element = this.#elementAt(object, low, bytes, node.address);
      const stride = this.#guess.strideOf(object) ?? 1n;
      // That it begins at its field was guessed like the rest.
      const isThere =
        pool === null && element === null
          ? graph.less('ult', offset, constant(high - low + 1n))
          : isBelowIndex(graph, { offset, stride }, (high - low) / stride + 1n);
      found.push(target(object, isThere, { cells: null, pool, element }));
    }
    return found;
  }

  /** The length of an allocation in units of what is accessed: so it is compared with indices. */
  #measure(length: ObjectLength, object: GraphObject): void {
    const { graph, bodies, pointerWidth } = this.#model;
    const stride = this.#guess.strideOf(object);
    if (stride === null || stride <= 1n) return;
    length.unit = stride;
    const unit = graph.constant(pointerWidth, stride);
    for (const body of bodies) {
      body.nodes = body.nodes.map((node): AnyNode => {
        if (node.kind !== 'set' || !node.assignments.some(({ variable }) => variable === length.count)) return node;
        const assignments = node.assignments.map(({ variable, value }) => ({
          variable,
          value: variable === length.count ? graph.divide('udiv', value, unit) : value,
        }));
        return { ...node, assignments };
      });
    }
  }

  /** Of an allocation whose size is not known beforehand. Nothing where `pointer` is off (inline-calls.ts). */
  #isBeforeEnd({ address }: RawAccess, { base, length }: GraphObject, bytes: number): Term {
    const { graph, variables, pointerWidth } = this.#model;
    if (length === null || !this.#options.checks.has('pointer')) return graph.true;
    const offset = graph.sub(address, graph.constant(pointerWidth, base));
    return isWithinUnits(graph, offset, BigInt(bytes), {
      ...length,
      count: (variables[length.count] as Variable).term,
    });
  }

  #elementAt(object: GraphObject, place: bigint, bytes: number, address: Term): ChosenElement | null {
    return this.#elements?.at(object, place, 8 * bytes, address) ?? null;
  }

  #poolOf(object: GraphObject, place: bigint, bytes: number): ValueSet | null {
    const pool = this.#guess.poolOf(object, place, 8 * bytes);
    return pool === null || sameSet(pool, topSet(8 * bytes)) ? null : pool;
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

  // -------------------------------------------------------------- nodes

  #resolve(body: Body, at: number): void {
    const node = body.nodes[at] as AnyNode;
    switch (node.kind) {
      case 'load':
        body.nodes[at] =
          this.#resolvePeer(node, body, at) ?? this.#watched(node, body, at, (each) => this.#load(each, body, at));
        return;
      case 'store':
        body.nodes[at] =
          this.#resolvePeer(node, body, at) ?? this.#watched(node, body, at, (each) => this.#store(each, body, at));
        return;
      case 'enter':
        body.nodes[at] = this.#enter(node, body);
        return;
      case 'allocate':
        body.nodes[at] = (this.#heap as HeapInstances).allocate(node, body);
        return;
      case 'leave':
        body.nodes[at] = this.#leave(node, body, at);
        return;
      case 'free':
        body.nodes[at] = this.#watched(node, body, at, (each) => this.#free(each, body));
        return;
      default:
        return;
    }
  }

  #resolvePeer(node: RawAccess, body: Body, at: number): Node | null {
    const { graph } = this.#model;
    const isThere = (table: GraphObject) => {
      const alive = table.kind === 'heap' ? (this.#aliveCells.get(table.id) as Variable).term : graph.true;
      return graph.and(alive, this.#isBeforeEnd(node, table, this.#bytesOf(node)));
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
    const places = this.#placesOf(node, body, at);
    const target = variables[node.variable] as Variable;
    if (places.length === 0) return this.#guarded([{ kind: 'stop', loc, isModel, next: [] }], places, body);
    let anything: Variable | null = null;
    const isFree = this.#races?.isFree(node, body, at, this.#watchedPlaces(node, body, at)) ?? false;
    const valueAt = ({ cells, pool, element }: ResolvedTarget): Term => {
      if (cells && !isFree) return joinCells(this.#model, cells);
      anything ??= this.#addTemporary(target, body);
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
    const isOnly = places.length === 1;
    const elements = places.flatMap(({ element, condition }) =>
      element === null ? [] : [{ isChosen: element.isChosen, condition: isOnly ? this.#model.graph.true : condition }],
    );
    return this.#elements && elements.length > 0 ? [this.#elements.noteRead(body, at, elements)] : [];
  }

  #addTemporary({ name, width }: Pick<Variable, 'name' | 'width'>, body: Body): Variable {
    const { graph, variables } = this.#model;
    const set = topSet(width);
    const variable: Variable = {
      ...{ id: variables.length, name: `${name}?`, width, owner: body.id, kind: 'register', signed: false },
      ...{ initial: 0n, set, term: graph.variable(set, `${name}?`) },
    };
    variables.push(variable);
    return variable;
  }

  #store(node: Extract<RawNode, { kind: 'store' }>, body: Body, at: number): Node {
    const { graph } = this.#model;
    const { loc, isModel, next } = node;
    const places = this.#placesOf(node, body, at);
    if (places.length === 0) return this.#guarded([{ kind: 'stop', loc, isModel, next: [] }], places, body);
    const stored = new Map<number, Assignment>();
    for (const { condition, cells, element } of places) {
      if (!cells) this.#heap?.noteBlurred(node, node.value);
      if (element) {
        const { cell, isChosen } = element;
        const before = stored.get(cell.id)?.value ?? cell.term;
        const isStored = graph.and(condition, isChosen);
        stored.set(cell.id, { variable: cell.id, value: graph.ite(isStored, node.value, before) });
        for (const each of this.#heap?.noteStore(cell.id, isStored) ?? []) stored.set(each.variable, each);
      }
      if (!cells) continue;
      const values = splitValue(this.#model, cells, node.value);
      cells.forEach((cell, i) => {
        const before = stored.get(cell.id)?.value ?? cell.term;
        // With one place, the assertion before says that it is this one.
        const value = places.length === 1 ? (values[i] as Term) : graph.ite(condition, values[i] as Term, before);
        stored.set(cell.id, { variable: cell.id, value });
        for (const each of this.#heap?.noteStore(cell.id, condition) ?? []) stored.set(each.variable, each);
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
    const cells = this.#cells.of(object);
    const alive = this.#aliveCells.get(object.id);
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
    const ended = objects.flatMap((object) => this.#aliveCells.get(object) ?? []);
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
      const alive = this.#aliveCells.get(object.id) as Variable;
      return { variable: alive.id, value: graph.and(alive.term, graph.not(isAt(object.base))) };
    });
    const isFine = graph.orAll([
      isAt(0n),
      ...heap.map((object) => graph.and(isAt(object.base), (this.#aliveCells.get(object.id) as Variable).term)),
    ]);
    const isChecked = this.#options.checks.has('free');
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

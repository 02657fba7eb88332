/**
 * Where accesses may go, as a guess: value sets of all variables and of memory, regardless of the order of execution,
 * and blind for memory that was never written. A guess is enough: resolve-accesses.ts makes it an obligation of the
 * proof that no other place is accessed.
 *
 * An index whose range is not known is cut to the object whose address the access is computed from, also by way of
 * variables and memory. Of objects that are accessed so, the values of all elements together are guessed (`poolOf`).
 */

import { arrayAround } from '../../program/part-paths.ts';
import type { Term } from '../../values/terms.ts';
import { TermGraph } from '../../values/terms.ts';
import {
  constantSet,
  cutSet,
  emptySet,
  enumerateValues,
  isEmpty,
  joinSets,
  maxUnsigned,
  minUnsigned,
  rangeSet,
  sameSet,
  topSet,
  type ValueSet,
} from '../../values/value-set.ts';
import { widenSets } from '../../values/widen-sets.ts';
import { initialBits } from './cell-variables.ts';
import { commonDivisor, ElementPools } from './element-pools.ts';
import {
  type AnyNode,
  type Body,
  type GraphObject,
  type Model,
  type RawNode,
  selfNumbers,
  threadNumbers,
  type Variable,
} from './graph.ts';
import { TermRebuilder } from './rebuild-term.ts';

/** So many places of one access are told apart. */
const MOST_PLACES = 48;
const MOST_ROUNDS = 60;
const ROUNDS_BEFORE_WIDENING = 8;

export interface Targets {
  /** Addresses that are told apart. */
  readonly places: readonly bigint[];
  readonly ranges: readonly TargetRange[];
}

/** Places of one object that are not told apart: addresses from `low` to `high`, where the access begins. */
export interface TargetRange {
  readonly object: GraphObject;
  readonly low: bigint;
  readonly high: bigint;
  /** They are multiples of this away from `low`. */
  readonly stride: bigint;
}

export class TargetGuess {
  readonly #model: Model;
  readonly #sets: ValueSet[];
  readonly #changes: number[];
  /** Memory by address and width, as far as it was accessed so. */
  readonly #memory = new Map<string, ValueSet>();
  readonly #widthsAt = new Map<bigint, Set<number>>();
  readonly #pools: ElementPools;
  readonly #idOf: ReadonlyMap<Term, number>;
  /** The objects whose addresses what a variable holds, and what is stored in an object, is computed from. */
  readonly #originsOf = new Map<number, Set<GraphObject>>();
  readonly #originsIn = new Map<GraphObject, Set<GraphObject>>();
  #graph = new TermGraph();
  #rebuilder: TermRebuilder;
  #changed = false;
  #round = 0;

  constructor(model: Model) {
    this.#model = model;
    this.#sets = model.variables.map(({ width }) => emptySet(width));
    this.#changes = model.variables.map(() => 0);
    this.#pools = new ElementPools(model);
    this.#idOf = new Map(model.variables.map(({ term, id }) => [term, id]));
    this.#rebuilder = this.#newRebuilder();
  }

  /** What elements hold, of which this is one; null where that is not guessed. */
  poolOf(object: GraphObject, place: bigint, width: number): ValueSet | null {
    return this.#pools.of(object, place - object.base, width);
  }

  /** The field of all elements that an access to this place is to; null where there is none. */
  fieldOf(object: GraphObject, place: bigint, width: number): bigint | null {
    return this.#pools.fieldOf(object, place - object.base, width);
  }

  /** How far elements are apart that are not told apart. */
  strideOf(object: GraphObject): bigint | null {
    return this.#pools.strideOf(object);
  }

  run(): void {
    for (const { id, self } of this.#model.bodies) if (self !== null) this.#join(self, selfNumbers(this.#model, id));
    for (this.#round = 0; this.#round < MOST_ROUNDS; this.#round++) {
      this.#changed = false;
      this.#rebuilder = this.#newRebuilder();
      for (const body of this.#model.bodies) for (const node of body.nodes) this.#visit(node);
      if (!this.#changed) return;
    }
    // What is stored where may not have been seen as it is: nothing is said of elements.
    this.#pools.giveUp();
  }

  /** Where an access of `bytes` bytes at the address may begin. */
  targetsOf(address: Term, bytes: number): Targets {
    const set = this.#setOf(address);
    const places: bigint[] = [];
    const ranges: TargetRange[] = [];
    for (const object of this.#candidates(address, set)) {
      if (bytes > object.size) continue;
      const inside = this.#inArray(address, object, bytes, cutSet(set, object.base, endOf(object, bytes)));
      if (isEmpty(inside)) continue;
      const few = enumerateValues(inside, MOST_PLACES);
      if (few === null)
        ranges.push({
          ...{ object, low: minUnsigned(inside), high: maxUnsigned(inside) },
          stride: strideOf(inside),
        });
      else for (const place of few) places.push(place);
    }
    return { places, ranges };
  }

  /** An index of which nothing is known stays in the array that the address is computed from, also in a structure. */
  #inArray(address: Term, object: GraphObject, bytes: number, inside: ValueSet): ValueSet {
    const type = object.source?.type;
    if (!type || isEmpty(inside) || maxUnsigned(inside) + BigInt(bytes) <= endOf(object, bytes)) return inside;
    const start = this.#startIn(address, object);
    if (start === null) return inside;
    const dataModel = this.#model.pointerWidth === 32 ? 'ILP32' : 'LP64';
    const array = arrayAround(type, Number(start - object.base), dataModel);
    if (array === null || array.size < bytes) return inside;
    const low = object.base + BigInt(array.low);
    return cutSet(inside, low, low + BigInt(array.size - bytes));
  }

  /** The one place in the object that something is added to; null where it is not one. */
  #startIn(address: Term, object: GraphObject): bigint | null {
    const { graph } = this.#model;
    const operands = graph.operationOf(address) === 'add' ? graph.operandsOf(address) : [address];
    const starts = operands.flatMap((operand) => {
      const set = this.#setOf(operand);
      const isPlace = !isEmpty(set) && minUnsigned(set) === maxUnsigned(set) && isNarrow(set, object);
      if (isPlace) return [minUnsigned(set)];
      return graph.operationOf(operand) === 'add' ? (this.#startIn(operand, object) ?? []) : [];
    });
    const [start = null] = starts;
    return starts.length === 1 && start !== null && start < object.base + BigInt(object.size) ? start : null;
  }

  #newRebuilder(): TermRebuilder {
    const { graph } = this.#model;
    this.#graph = new TermGraph();
    return new TermRebuilder(graph, this.#graph, (term) => {
      const id = this.#idOf.get(term);
      return this.#graph.variable(id === undefined ? graph.setOf(term) : (this.#sets[id] as ValueSet), '');
    });
  }

  #setOf(term: Term): ValueSet {
    return this.#graph.setOf(this.#rebuilder.rebuild(term));
  }

  #join(variable: number, added: ValueSet): void {
    const before = this.#sets[variable] as ValueSet;
    let after = joinSets(before, added);
    if (sameSet(before, after)) return;
    if ((this.#changes[variable] as number)++ > ROUNDS_BEFORE_WIDENING) after = widenSets(before, after);
    this.#sets[variable] = after;
    this.#changed = true;
  }

  #visit(node: AnyNode): void {
    const { variables, bodies } = this.#model;
    switch (node.kind) {
      case 'set':
        for (const { variable, value } of node.assignments) {
          this.#join(variable, this.#setOf(value));
          this.#addOrigins(this.#originsOf, variable, this.#originsAmong(value));
        }
        return;
      case 'havoc':
        for (const variable of node.variables) {
          const { width } = variables[variable] as { readonly width: number };
          this.#join(variable, node.isBool ? rangeSet(width, 0n, 1n) : topSet(width));
        }
        return;
      case 'allocate':
        for (const id of node.objects) {
          const { base } = this.#model.objects[id] as GraphObject;
          this.#join(node.variable, constantSet(this.#model.pointerWidth, base));
        }
        return;
      case 'spawn': {
        const { argument, isReplicated, number } = bodies[node.body] as Body;
        if (argument !== null) {
          this.#join(argument, this.#setOf(node.argument));
          this.#addOrigins(this.#originsOf, argument, this.#originsAmong(node.argument));
        }
        this.#join(node.number, isReplicated ? threadNumbers(this.#model, node.body) : constantSet(32, BigInt(number)));
        return;
      }
      case 'load': {
        const { width } = variables[node.variable] as { readonly width: number };
        const { places, ranges } = this.targetsOf(node.address, width / 8);
        for (const place of places) {
          this.#notePlace(place, width);
          this.#join(node.variable, this.#read(place, width));
        }
        for (const range of ranges) {
          this.#noteRange(range, width);
          this.#join(node.variable, this.poolOf(range.object, range.low, width) ?? topSet(width));
        }
        for (const object of this.#objectsOf(places, ranges))
          this.#addOrigins(this.#originsOf, node.variable, this.#originsIn.get(object) ?? []);
        return;
      }
      case 'store': {
        const value = this.#setOf(node.value);
        const { places, ranges } = this.targetsOf(node.address, value.width / 8);
        for (const place of places) this.#write(place, value);
        for (const range of ranges) {
          this.#noteRange(range, value.width);
          this.#store(range.object, range.low, value);
        }
        const origins = this.#originsAmong(node.value);
        for (const object of this.#objectsOf(places, ranges)) this.#addOrigins(this.#originsIn, object, origins);
        return;
      }
      default:
        return;
    }
  }

  #read(address: bigint, width: number): ValueSet {
    const known = this.#memory.get(`${address}:${width}`);
    const overlaps = this.#overlaps(address, width);
    const object = objectAt(this.#model, address);
    const bits = object && initialBits(object, this.#model, Number(address - object.base), width);
    const initial = bits === undefined || bits === null ? emptySet(width) : constantSet(width, bits);
    if (overlaps) return topSet(width);
    const stored = object ? this.poolOf(object, address, width) : null;
    return joinSets(stored ?? initial, known ?? initial);
  }

  #notePlace(address: bigint, width: number): GraphObject | undefined {
    const object = objectAt(this.#model, address);
    if (object && this.#pools.notePlace(object, address - object.base, width)) this.#changed = true;
    return object;
  }

  #noteRange({ object, low, stride }: TargetRange, width: number): void {
    if (this.#pools.note(object, low - object.base, stride, width)) this.#changed = true;
  }

  /** In this element, or in one that is not told apart from it. */
  #store(object: GraphObject, place: bigint, value: ValueSet): void {
    if (this.#pools.join(object, place - object.base, value)) this.#changed = true;
  }

  /** Whether it was written in other pieces. */
  #overlaps(address: bigint, width: number): boolean {
    const bytes = BigInt(width / 8);
    for (let at = address - 15n; at < address + bytes; at++) {
      for (const other of this.#widthsAt.get(at) ?? []) {
        const isSame = at === address && other === width;
        if (!isSame && at + BigInt(other / 8) > address) return true;
      }
    }
    return false;
  }

  #write(address: bigint, value: ValueSet): void {
    const object = this.#notePlace(address, value.width);
    if (object) this.#store(object, address, value);
    const key = `${address}:${value.width}`;
    const before = this.#memory.get(key) ?? emptySet(value.width);
    let after = joinSets(before, value);
    if (sameSet(before, after)) return;
    if (this.#round > ROUNDS_BEFORE_WIDENING) after = widenSets(before, after);
    this.#memory.set(key, after);
    const widths = this.#widthsAt.get(address) ?? new Set();
    this.#widthsAt.set(address, widths.add(value.width));
    this.#changed = true;
  }

  /** The objects that an address can be in: all that a small set names, else those that it is computed from. */
  #candidates(address: Term, set: ValueSet): readonly GraphObject[] {
    const { objects } = this.#model;
    if (isEmpty(set)) return [];
    const few = enumerateValues(set, MOST_PLACES);
    if (few !== null) return [...new Set(few.flatMap((place) => objectAt(this.#model, place) ?? []))];
    const named = this.#originsAmong(address);
    return named.size > 0 ? [...named] : objects.filter((object) => isNarrow(set, object));
  }

  #originsAmong(term: Term): Set<GraphObject> {
    const origins = new Set<GraphObject>();
    this.#collectOrigins(term, origins);
    return origins;
  }

  #collectOrigins(term: Term, into: Set<GraphObject>): void {
    const { graph } = this.#model;
    const operation = graph.operationOf(term);
    if (operation === 'add' || operation === 'ite') {
      for (const operand of graph.operandsOf(term).slice(operation === 'ite' ? 1 : 0))
        this.#collectOrigins(operand, into);
      return;
    }
    if (operation !== 'constant' && operation !== 'variable') return;
    const set = this.#setOf(term);
    const narrow = this.#model.objects.filter((object) => isNarrow(set, object));
    const id = this.#idOf.get(term);
    const origins = narrow.length > 0 || id === undefined ? narrow : (this.#originsOf.get(id) ?? []);
    for (const object of origins) into.add(object);
  }

  #addOrigins<K>(table: Map<K, Set<GraphObject>>, key: K, added: Iterable<GraphObject>): void {
    const known = table.get(key) ?? new Set<GraphObject>();
    const { size } = known;
    for (const object of added) known.add(object);
    table.set(key, known);
    if (known.size > size) this.#changed = true;
  }

  #objectsOf(places: readonly bigint[], ranges: readonly TargetRange[]): Set<GraphObject> {
    const at = places.flatMap((place) => objectAt(this.#model, place) ?? []);
    return new Set([...at, ...ranges.map(({ object }) => object)]);
  }
}

/** The largest number of which all differences of values are multiples. */
function strideOf({ parts }: ValueSet): bigint {
  const first = parts[0]?.low ?? 0n;
  return parts.reduce((all, { low, high, step }) => {
    const own = low === high ? all : commonDivisor(all, step);
    return commonDivisor(own, low > first ? low - first : first - low);
  }, 0n);
}

/** Where an access that is inside begins at the latest. */
function endOf({ base, size }: GraphObject, bytes: number): bigint {
  return base + BigInt(size - bytes);
}

/** Some part of the set lies in the object's region alone. */
function isNarrow(set: ValueSet, { base, size }: GraphObject): boolean {
  const end = base + BigInt(Math.max(size, 1)) + 0x10000n;
  return set.parts.some(({ low, high }) => low >= base && high < end);
}

export function objectAt(model: Model, address: bigint): GraphObject | undefined {
  return model.objects.find(({ base, size }) => address >= base && address < base + BigInt(size));
}

export function touches({ places, ranges }: Targets, { base, size, id }: GraphObject): boolean {
  return (
    ranges.some(({ object }) => object.id === id) ||
    places.some((place) => place >= base && place < base + BigInt(size))
  );
}

export function bytesOf(
  node: Extract<RawNode, { kind: 'load' | 'store' }>,
  { graph, variables }: Pick<Model, 'graph' | 'variables'>,
): number {
  return (node.kind === 'load' ? (variables[node.variable] as Variable).width : graph.widthOf(node.value)) / 8;
}

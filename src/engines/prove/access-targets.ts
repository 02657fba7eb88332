/**
 * Where accesses go, as far as it matters for what they become: which objects are there for a thread at a point, which
 * cells of them an access covers, what is there where its places are not told apart (a pool, a chosen element), and
 * under which condition it goes there. All accesses are noted first; then memory is divided into cells, and their
 * places can be asked for.
 *
 * What is guessed (guess-targets.ts) is not true until it is proved: whoever resolves an access asserts it.
 */

import type { CheckName } from '../../program/check-names.ts';
import type { DataModel } from '../../program/data-model.ts';
import type { Term } from '../../values/terms.ts';
import { sameSet, topSet, type ValueSet } from '../../values/value-set.ts';
import { addVariable } from './add-variable.ts';
import { CellVariables } from './cell-variables.ts';
import { type ChosenElement, ChosenElements } from './chosen-elements.ts';
import type { Lifetimes } from './find-lifetimes.ts';
import {
  type AnyNode,
  type Body,
  type GraphObject,
  type Model,
  type ObjectLength,
  type RawNode,
  SHARED,
  type Variable,
} from './graph.ts';
import { objectAt, type TargetGuess, type Targets } from './guess-targets.ts';
import { isBelowIndex, isWithinUnits } from './scaled-index.ts';

export type RawAccess = Extract<RawNode, { kind: 'load' | 'store' }>;

export interface ResolveOptions {
  readonly dataModel: DataModel;
  /** Without `free` or `pointer`, a wrong one may end the execution; with `race`, data races are watched for. */
  readonly checks: ReadonlySet<CheckName>;
  /** Guess that main is alone once it has joined its threads (find-peers.ts). */
  readonly ending: boolean;
  /** Follow one element of each array whose places are not told apart (chosen-elements.ts). */
  readonly elements: boolean;
  /** Data races with what thread routines access in their sections count, too (carry-over.ts). */
  readonly isWeak: boolean;
}

/** One place of an access. */
export interface ResolvedTarget {
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

export class AccessTargets {
  readonly #model: Model;
  readonly #checks: ReadonlySet<CheckName>;
  readonly #guess: TargetGuess;
  readonly #lifetimes: Lifetimes;
  readonly cells: CellVariables;
  readonly elements: ChosenElements | null;
  /** By object: a cell that says whether it is alive, where that matters. */
  readonly #alive = new Map<number, Variable>();
  /** Locals that other threads access and that may be left before. */
  readonly #left = new Set<number>();

  constructor(model: Model, options: ResolveOptions, guess: TargetGuess, lifetimes: Lifetimes) {
    this.#model = model;
    this.#checks = options.checks;
    this.#guess = guess;
    this.#lifetimes = lifetimes;
    this.cells = new CellVariables(model, options.dataModel);
    for (const object of model.objects) if (object.length) this.#measure(object.length, object);
    this.elements = options.elements ? new ChosenElements(model, guess) : null;
  }

  /** Once all accesses are noted. */
  divide(): void {
    this.cells.divide();
    this.elements?.choose(this.cells);
    for (const object of this.#model.objects)
      if (object.kind === 'heap' || this.#left.has(object.id)) this.#addAliveCell(object);
  }

  /** Says whether the object is alive; undefined where it always is. */
  aliveOf({ id }: Pick<GraphObject, 'id'>): Variable | undefined {
    return this.#alive.get(id);
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

  #bytesOf(node: RawAccess): number {
    const { graph, variables } = this.#model;
    return (node.kind === 'load' ? (variables[node.variable] as Variable).width : graph.widthOf(node.value)) / 8;
  }

  targetsOf(node: RawAccess, body: Body, at: number): Targets {
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

  /** An access that will be resolved. */
  note(node: RawAccess, body: Body, at: number): void {
    const bytes = this.#bytesOf(node);
    const { places, ranges } = this.targetsOf(node, body, at);
    for (const place of places) {
      const object = objectAt(this.#model, place) as GraphObject;
      this.#noteEnd(object, body);
      this.cells.noteAccess(object, Number(place - object.base), bytes);
    }
    for (const range of ranges) {
      const { object, low, high } = range;
      this.#noteEnd(object, body);
      this.elements?.note(range, 8 * bytes);
      this.cells.blur(object, Number(low - object.base), Number(high - object.base) + bytes);
    }
  }

  #noteEnd(object: GraphObject, body: Body): void {
    if (object.kind !== 'heap' && this.#mayEndFor(object, body)) this.#left.add(object.id);
  }

  #addAliveCell({ id, name, owner }: GraphObject): void {
    const made = { name: `alive(${name})`, width: 1, owner, kind: 'cell' } as const;
    const variable = addVariable(this.#model, made);
    this.#alive.set(id, variable);
    this.#model.lifetimes.add(variable.id);
  }

  /** Once memory is divided: all places of an access. */
  placesOf(node: RawAccess, body: Body, at: number): ResolvedTarget[] {
    const { graph, pointerWidth } = this.#model;
    const bytes = this.#bytesOf(node);
    const { places, ranges } = this.targetsOf(node, body, at);
    const constant = (value: bigint) => graph.constant(pointerWidth, value);
    const target = (
      object: GraphObject,
      isThere: Term,
      rest: Pick<ResolvedTarget, 'cells' | 'pool' | 'element'>,
    ): ResolvedTarget => {
      const mayEnd = this.#mayEndFor(object, body);
      const alive = mayEnd ? (this.aliveOf(object) as Variable).term : graph.true;
      const condition = graph.and(graph.and(isThere, this.isBeforeEnd(node, object)), alive);
      const isProved = object.kind === 'heap' || this.#checks.has('pointer');
      return { object, condition, proved: isProved ? condition : isThere, mayEnd, ...rest };
    };
    const found = places.map((place) => {
      const object = objectAt(this.#model, place) as GraphObject;
      const cells = this.cells.at(object, Number(place - object.base), bytes);
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

  /** Of an allocation whose size is not known beforehand. Nothing where `pointer` is off (translate-instruction.ts). */
  isBeforeEnd(node: RawAccess, { base, length }: GraphObject): Term {
    const { graph, variables, pointerWidth } = this.#model;
    if (length === null || !this.#checks.has('pointer')) return graph.true;
    const offset = graph.sub(node.address, graph.constant(pointerWidth, base));
    return isWithinUnits(graph, offset, BigInt(this.#bytesOf(node)), {
      ...length,
      count: (variables[length.count] as Variable).term,
    });
  }

  #elementAt(object: GraphObject, place: bigint, bytes: number, address: Term): ChosenElement | null {
    return this.elements?.at(object, place, 8 * bytes, address) ?? null;
  }

  #poolOf(object: GraphObject, place: bigint, bytes: number): ValueSet | null {
    const pool = this.#guess.poolOf(object, place, 8 * bytes);
    return pool === null || sameSet(pool, topSet(8 * bytes)) ? null : pool;
  }
}

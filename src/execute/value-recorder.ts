/**
 * Keeps, while a program is executed symbolically, which values its variables are given and by which places of the
 * source. The executor tells it every assignment; of several iterations only the last counts, in which all value sets
 * are stable.
 *
 * What was never assigned has any value, but that counts only where it can be read: a local that every path assigns
 * before it is used has just the values assigned. Such reads are found by following choices down to the unknown that
 * stands for "uninitialised"; for memory that other threads reach, by asking whether somebody reads a cell that was
 * published so.
 *
 * Who owns it: whoever wants to know hands one to `executeProgram`, which alone writes to it; afterwards it is read. A
 * place is where the user's own code stands: inside a bundled model it is the call of the model.
 */

import type { CodeFunction, ScalarType } from '../program/code.ts';
import { pushAll } from '../support/push-all.ts';
import { type Loc, NOWHERE } from '../support/source.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';
import * as sets from '../values/value-set.ts';
import { mergeParts, type SetPart, stepOf } from '../values/value-set-parts.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { Execution } from './execution.ts';
import { placesOf } from './summaries.ts';

/** The values that a place of the source gives, by place. */
export type ValuesByPlace = Map<Loc, ValueSet>;

export interface RegisterValues {
  readonly function: CodeFunction;
  readonly register: number;
  readonly assigned: ValuesByPlace;
  /** Where it may be read before it was assigned. */
  readonly uninitialised: ValuesByPlace;
}

/** Bytes of an object: those from an offset on, or, with a step, some that lie a multiple of the step further. */
export interface StridedBytes {
  readonly offset: number;
  readonly size: number;
  /** 0: just there. */
  readonly step: number;
}

/** Stores to one place of an object. */
export interface StoredValues extends StridedBytes {
  readonly type: ScalarType | null;
  readonly assigned: ValuesByPlace;
}

export interface ObjectValues {
  readonly object: MemoryObject;
  /** Where it was allocated, and by which function it was entered; for static objects neither. */
  place: Loc;
  function: CodeFunction | null;
  readonly stores: Map<string, StoredValues>;
  /** Places that may be read before they were written, and where in the source. */
  readonly uninitialised: Map<string, StridedBytes & { readonly loc: Loc }>;
}

export class ValueRecorder {
  /** Where the user's code stands that is being executed. */
  place: Loc = NOWHERE;
  /** The type of the access that is being executed. */
  accessType: ScalarType | null = null;
  registers = new Map<CodeFunction, Map<number, RegisterValues>>();
  objects = new Map<MemoryObject, ObjectValues>();
  #execution: Execution | null = null;
  #threadPlaces = new Map<number, Loc>();
  #unknowns = new Set<Term>();
  /** Whether a term may be one of the unknowns. */
  #mayBeUnknown = new Map<Term, boolean>();
  #published = new Set<Cell>();
  #readByOthers = new Map<Cell, Loc>();

  /** A new iteration: forgets what the one before said. */
  begin(execution: Execution): void {
    this.#execution = execution;
    this.registers = new Map();
    this.objects = new Map();
    this.#threadPlaces = new Map();
    this.#unknowns = new Set();
    this.#mayBeUnknown = new Map();
    this.#published = new Set();
    this.#readByOthers = new Map();
  }

  /** The last iteration is over. */
  finish(): void {
    const { owners } = this.execution.reach;
    for (const [cell, place] of this.#readByOthers) {
      const startsUnknown = !owners.has(cell.object.id) && this.#isUnknown(this.execution.initial.of(cell));
      if (startsUnknown || this.#published.has(cell)) this.#noteUninitialised(cell, place);
    }
  }

  get execution(): Execution {
    return this.#execution as Execution;
  }

  get #graph(): TermGraph {
    return this.execution.graph;
  }

  // -------------------------------------------------------------- threads

  spawn(thread: number): void {
    this.#threadPlaces.set(thread, this.place);
  }

  /** Where a thread was created: the place of what its start routine is given. */
  placeOfThread(thread: number): Loc {
    return this.#threadPlaces.get(thread) ?? NOWHERE;
  }

  // -------------------------------------------------------------- registers

  /** A register is given a value. */
  setRegister(each: CodeFunction, register: number, value: Term): void {
    if (!each.registers[register]?.variable) return;
    const { assigned } = this.#registerValues(each, register);
    this.#add(assigned, this.place, this.#graph.setOf(value));
  }

  /** The register of a declared variable comes to life without a value. */
  declareRegister(value: Term): void {
    this.#unknowns.add(this.#graph.unrefined(value));
  }

  readRegister(each: CodeFunction, register: number, value: Term): void {
    if (!each.registers[register]?.variable || this.#unknowns.size === 0 || !this.#isUnknown(value)) return;
    const { uninitialised } = this.#registerValues(each, register);
    this.#add(uninitialised, this.place, this.#graph.setOf(value));
  }

  #registerValues(each: CodeFunction, register: number): RegisterValues {
    let ofFunction = this.registers.get(each);
    if (!ofFunction) {
      ofFunction = new Map();
      this.registers.set(each, ofFunction);
    }
    let values = ofFunction.get(register);
    if (!values) {
      values = { function: each, register, assigned: new Map(), uninitialised: new Map() };
      ofFunction.set(register, values);
    }
    return values;
  }

  #add(values: ValuesByPlace, place: Loc, set: ValueSet): void {
    const known = values.get(place);
    values.set(place, known ? sets.joinSets(known, set) : set);
  }

  // -------------------------------------------------------------- memory

  enterObject(object: MemoryObject, each: CodeFunction | null): void {
    const values = this.#objectValues(object);
    values.place = this.place;
    values.function = each;
  }

  /**
   * `cell`: the first that the value goes to. `bound`: a set that the value lies in for another reason than its own, or
   * null.
   */
  write(cell: Cell, value: Term, bound: ValueSet | null): void {
    if (cell.offset < 0) return;
    const place = this.#placeOf(cell, this.#graph.widthOf(value) / 8);
    const { stores } = this.#objectValues(cell.object);
    const key = keyOf(place);
    let stored = stores.get(key);
    if (!stored) {
      stored = { ...place, type: this.accessType, assigned: new Map() };
      stores.set(key, stored);
    }
    const set = this.#graph.setOf(value);
    this.#add(stored.assigned, this.place, bound ? sets.meetSets(set, bound) : set);
  }

  /** The contents of memory before anything was written there: not a value that anybody gave. */
  declareMemory(value: Term): void {
    this.#unknowns.add(this.#graph.unrefined(value));
  }

  readOwn(cell: Cell, value: Term): void {
    if (cell.offset >= 0 && this.#unknowns.size > 0 && this.#isUnknown(value))
      this.#noteUninitialised(cell, this.place);
  }

  readShared(cell: Cell): void {
    if (!this.#readByOthers.has(cell)) this.#readByOthers.set(cell, this.place);
  }

  /**
   * What a thread has kept to itself is made visible to others: values that were recorded when they were assigned, or
   * none.
   */
  publish(cell: Cell, value: Term): void {
    if (this.#isUnknown(value)) this.#published.add(cell);
  }

  #noteUninitialised(cell: Cell, loc: Loc): void {
    if (cell.offset < 0) return;
    const { uninitialised } = this.#objectValues(cell.object);
    const place = this.#placeOf(cell, cell.size);
    if (!uninitialised.has(keyOf(place))) uninitialised.set(keyOf(place), { ...place, loc });
  }

  /** A cell of a sparse object stands for whatever its access touches. */
  #placeOf(cell: Cell, size: number): StridedBytes {
    const { id, object, offset } = cell;
    if (!object.isSparse) return { offset, size, step: 0 };
    if (cell.isSummary) {
      const { low, step } = placesOf(cell);
      return { offset: low, size, step };
    }
    const address = this.execution.sparse.addresses.get(id);
    if (address === undefined) return { offset: 0, size, step: 1 };
    const all = this.#graph.setOf(address);
    const inside = sets.rangeSet(all.width, object.base, object.base + BigInt(Math.max(0, object.size - size)));
    const hull = sets.meetSets(all, inside).parts.reduce<SetPart | null>((a, b) => (a ? mergeParts(a, b) : b), null);
    return hull
      ? { offset: Number(hull.low - object.base), size, step: Number(stepOf(hull)) }
      : { offset: 0, size, step: 0 };
  }

  #objectValues(object: MemoryObject): ObjectValues {
    let values = this.objects.get(object);
    if (!values) {
      values = { object, place: NOWHERE, function: null, stores: new Map(), uninitialised: new Map() };
      this.objects.set(object, values);
    }
    return values;
  }

  // -------------------------------------------------------------- unknowns

  /** Whether a value may be what was there before any assignment: followed through choices and pieces of values. */
  #isUnknown(value: Term): boolean {
    const graph = this.#graph;
    const stack = [value];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as Term;
      if (this.#mayBeUnknown.has(top)) {
        stack.pop();
        continue;
      }
      const parts = partsOf(graph, top);
      const open = parts.filter((part) => !this.#mayBeUnknown.has(part));
      if (open.length > 0) pushAll(stack, open);
      else {
        const isOne = this.#unknowns.has(top) || parts.some((part) => this.#mayBeUnknown.get(part) === true);
        this.#mayBeUnknown.set(top, isOne);
        stack.pop();
      }
    }
    return this.#mayBeUnknown.get(value) === true;
  }
}

function keyOf({ offset, size, step }: StridedBytes): string {
  return `${offset} ${size} ${step}`;
}

function partsOf(graph: TermGraph, term: Term): Term[] {
  const operands = graph.operandsOf(term);
  switch (graph.operationOf(term)) {
    case 'refine':
    case 'extract':
    case 'concat':
      return operands;
    case 'ite':
      return operands.slice(1);
    default:
      return [];
  }
}

/**
 * Records what an instruction at `loc` puts into a register. A declaration without initializer gives an unknown that
 * bears the variable's name; it is no value that the user gave.
 */
export function recordRegister(
  recorder: ValueRecorder,
  each: CodeFunction,
  register: number,
  value: Term,
  loc: Loc,
): void {
  const variable = each.registers[register]?.variable;
  if (!variable) return;
  const { graph } = recorder.execution;
  const isDeclared = graph.operationOf(value) === 'variable' && graph.nameOf(value) === variable.name;
  if (isDeclared && loc === variable.loc) recorder.declareRegister(value);
  else recorder.setRegister(each, register, value);
}

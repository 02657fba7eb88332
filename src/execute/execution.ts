/**
 * One iteration of the symbolic execution of a whole program: what all of its threads share while they are executed one
 * after the other. Also the initial contents of memory: static objects have theirs from the program, or from what main
 * wrote before it created the first thread (the snapshot), which is why nothing in that part of main is a step.
 */

import type { Bounds } from '../program/bounds.ts';
import type { CheckName, Code, CodeObject, FunctionId, ObjectId } from '../program/code.ts';
import { wordSize } from '../program/data-model.ts';
import type { Loc } from '../support/source.ts';
import { floatToBits } from '../values/float-constants.ts';
import { type Term, TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { CarriedAddresses } from './carried-addresses.ts';
import type { Movement } from './cell-values.ts';
import { ALIVE, type Cell, type Knowledge, type MemoryObject } from './knowledge.ts';
import { initialOfSlot, initialOfSummary, type SparseAccesses } from './sparse-objects.ts';
import type { StepBuilder } from './step-builder.ts';
import type { Input } from './steps.ts';
import { ExecutionLimitError } from './unsupported.ts';
import type { ValueRecorder } from './value-recorder.ts';

export interface ExecutionLimits {
  readonly terms: number;
  readonly steps: number;
  /** Iterations of one loop with a constant trip count. */
  readonly constantIterations: number;
  /** Called now and then; throws when time is up. */
  poll(): void;
}

/** As far as anybody goes; larger programs would take more memory than there is. */
export const LARGEST_EXECUTION = { terms: 8_000_000, steps: 200_000, constantIterations: 5_000 } as const;

export interface ExecuteOptions {
  readonly bounds: Bounds;
  readonly limits: ExecutionLimits;
  readonly checks: ReadonlySet<CheckName>;
  /** Is told which values the variables are given. */
  readonly recorder?: ValueRecorder;
  /** The instructions whose visits are to be noted, by function. */
  readonly watched?: ReadonlyMap<FunctionId, ReadonlySet<number>>;
  /** Called when all threads are executed once more; the last time is the one that gives the steps. */
  readonly onIteration?: () => void;
}

/** Where the variable that a visible read made comes from. */
export interface VisibleRead {
  readonly cells: readonly Cell[];
  /** For each cell, when it is the one that is read. */
  readonly selects: readonly Term[];
  readonly step: StepBuilder;
}

/** A thread that was created and is still to be executed. */
export interface PendingThread {
  readonly index: number;
  readonly spawn: { readonly thread: number; readonly step: number; readonly guard: Term };
  readonly start: Term;
  readonly argument: Term;
  /** Where the user's code creates it. */
  readonly place: Loc;
}

const FIRST_FUNCTION_ADDRESS = 0x1000n;
const FUNCTION_SPACING = 16n;

export class Execution {
  readonly graph = new TermGraph();
  readonly code: Code;
  readonly knowledge: Knowledge;
  readonly options: ExecuteOptions;
  readonly inputs: Input[] = [];
  readonly pending: PendingThread[] = [];
  readonly wordBits: 32 | 64;
  /** Cells as main left them when it created the first thread; null until then. */
  snapshot: Map<number, Term> | null = null;
  /** Objects made before the first thread was created: everybody may know them, their contents are in the snapshot. */
  readonly early = new Set<number>();
  /**
   * Which thread makes an object, for objects made later. Known from earlier iterations for threads that are still to
   * come.
   */
  readonly owners: Map<number, number>;
  /** Objects that another thread than their maker touches, and those whose maker publishes them. */
  readonly foreign = new Set<MemoryObject>();
  readonly published = new Set<number>();
  readonly carried: CarriedAddresses;
  /** Allocations whose size is not constant. */
  readonly sizes = new Map<number, Term>();
  readonly #initial = new Map<number, Term>();
  /** The accesses to sparse objects in this iteration, by object; the addresses that their cells stand for, by cell. */
  readonly sparse = new Map<number, SparseAccesses>();
  readonly slotAddresses = new Map<number, Term>();
  /** Sparse objects whose places are told apart in this iteration, even where others can see them. */
  readonly detailed: ReadonlySet<MemoryObject>;
  /** Of variables made by visible reads: the cells that they may have come from, and the step. */
  readonly reads = new Map<Term, VisibleRead>();
  /** Unknowns that no address of an object went into; what terms with huge sets have besides (known-addresses.ts). */
  readonly fromNowhere = new Set<Term>();
  readonly known = new Map<Term, sets.ValueSet>();
  /** How far the writes of this iteration move a cell. */
  readonly movements = new Map<Cell, Movement>();
  /** The cells that the thread that is executed has written. */
  readonly written = new Set<Cell>();
  steps = 0;

  constructor(code: Code, knowledge: Knowledge, options: ExecuteOptions, detailed: ReadonlySet<MemoryObject>) {
    this.code = code;
    this.detailed = detailed;
    this.knowledge = knowledge;
    this.carried = new CarriedAddresses(this.graph, knowledge);
    this.owners = knowledge.owners;
    this.options = options;
    this.wordBits = wordSize(code.dataModel) === 4 ? 32 : 64;
  }

  /** Throws when one of the limits is passed. */
  poll(): void {
    this.options.limits.poll();
    if (this.graph.size > this.options.limits.terms) {
      throw new ExecutionLimitError(`the bounded program needs more than ${this.options.limits.terms} terms`);
    }
    if (this.steps > this.options.limits.steps) {
      throw new ExecutionLimitError(`the bounded program has more than ${this.options.limits.steps} steps`);
    }
  }

  functionAddress(id: number): bigint {
    return FIRST_FUNCTION_ADDRESS + FUNCTION_SPACING * BigInt(id);
  }

  /** The functions whose address is one of the values. */
  functionsAt(values: sets.ValueSet): FunctionId[] {
    return this.code.functions.filter((f) => sets.hasValue(values, this.functionAddress(f.id))).map((f) => f.id);
  }

  staticObject(id: ObjectId, thread: number): MemoryObject {
    const declared = this.code.objects[id] as CodeObject;
    const kind = declared.duration === 'thread' ? 'thread' : 'static';
    const key = kind === 'thread' ? `thread ${thread} ${id}` : `static ${id}`;
    return this.knowledge.object(
      key,
      () => ({ name: declared.name, declared, kind, creator: declared.name }),
      declared.size,
    );
  }

  /** Nobody but the maker of its object sees the cell until its contents are published. */
  isPublishedLater(cell: Cell): boolean {
    const { id, isOpen, isSparse } = cell.object;
    return this.owners.has(id) && !isOpen && !isSparse && cell.offset >= 0;
  }

  /** Others computed the addresses of objects that were never published: these have to be open from the beginning. */
  openHiddenObjects(): void {
    for (const object of this.foreign) {
      if (this.owners.has(object.id) && !this.published.has(object.id)) this.knowledge.recordOpen(object);
    }
  }

  /** The value of a cell before anybody of the present threads wrote to it. */
  initialOf(cell: Cell): Term {
    const known = this.snapshot?.get(cell.id) ?? this.#initial.get(cell.id);
    if (known !== undefined) return known;
    const value = this.#makeInitial(cell);
    this.#initial.set(cell.id, value);
    return value;
  }

  #makeInitial(cell: Cell): Term {
    if (cell.offset === ALIVE) return this.graph.true;
    const { object } = cell;
    const width = 8 * cell.size;
    if (cell.isSummary) return initialOfSummary(this, cell);
    if (object.isSparse) return initialOfSlot(this, cell);
    if (object.kind === 'static' || object.kind === 'thread')
      return this.graph.constant(width, this.staticBytes(object, cell.offset, cell.size));
    if (object.isZeroed) return this.graph.constant(width, 0n);
    const place = { thread: this.owners.get(object.id) ?? 0, key: object.creator, offset: cell.offset };
    const unknown = this.input(place, sets.topSet(width), `uninitialised ${object.name}`);
    this.options.recorder?.declareMemory(unknown);
    return unknown;
  }

  /** A value that the program does not determine: one of a set. */
  input(place: Omit<Input, 'term'>, set: sets.ValueSet, name: string): Term {
    const term = this.graph.variable(set, name);
    this.fromNowhere.add(term);
    this.inputs.push({ ...place, term });
    return term;
  }

  /** What a static object holds when the program starts. */
  staticBytes(object: MemoryObject, offset: number, size: number): bigint {
    let bytes = 0n;
    for (const item of object.declared?.initial ?? []) {
      const itemSize = item.type.bits / 8;
      if (item.offset + itemSize <= offset || item.offset >= offset + size) continue;
      const shift = BigInt(8 * (item.offset - offset));
      const pattern = BigInt.asUintN(item.type.bits, this.#initialBits(item.value));
      bytes |= shift >= 0n ? pattern << shift : pattern >> -shift;
    }
    return BigInt.asUintN(8 * size, bytes);
  }

  #initialBits(value: CodeObject['initial'][number]['value']): bigint {
    switch (value.kind) {
      case 'constant':
        return value.value;
      case 'float-constant':
        return floatToBits(value.value, value.type.bits);
      case 'object-address':
        return this.staticObject(value.object, 0).base + BigInt(value.offset);
      case 'function-address':
        return this.functionAddress(value.function);
    }
  }
}

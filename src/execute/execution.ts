/**
 * One iteration of the symbolic execution of a whole program: what all of its threads share while they are executed one
 * after the other. Each part has one writer: the initial contents of memory, who reaches which object, unknown values,
 * addresses in disguise, accesses to sparse objects, writes to shared cells.
 */

import type { Bounds } from '../program/bounds.ts';
import type { CheckName, Code, CodeObject, FunctionId, ObjectId } from '../program/code.ts';
import { wordSize } from '../program/data-model.ts';
import { functionAddress } from '../program/function-addresses.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import { type SpinLoops, spinLoopsOf } from '../program/spin-loops.ts';
import type { Loc } from '../support/source.ts';
import { type Term, TermGraph } from '../values/terms.ts';
import * as sets from '../values/value-set.ts';
import { CarriedAddresses } from './carried-addresses.ts';
import type { WriteRecord } from './cell-values.ts';
import type { Cell, MemoryObject } from './cells.ts';
import type { WrittenCells } from './first-contents.ts';
import { InitialContents } from './initial-contents.ts';
import type { Knowledge } from './knowledge.ts';
import { ObjectReach } from './object-reach.ts';
import type { PolledLock } from './polling-turns.ts';
import { seesIdentifiers } from './sees-identifiers.ts';
import type { SparseRecord } from './sparse-objects.ts';
import type { StepBuilder } from './step-builder.ts';
import { Unknowns } from './unknowns.ts';
import { ExecutionLimitError } from './unsupported.ts';
import type { ValueRecorder } from './value-recorder.ts';
import type { LeftOutWait } from './waiting-turns.ts';

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
  /** `sc` without it. */
  readonly memoryModel?: MemoryModel;
  /** Is told which values the variables are given. */
  readonly recorder?: ValueRecorder;
  /** The instructions whose visits are to be noted, by function. */
  readonly watched?: ReadonlyMap<FunctionId, ReadonlySet<number>>;
  /** Turns of loops that change nothing are taken like all others: what leaving them out brings. */
  readonly keepsIdleTurns?: boolean;
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
  /** Cells that were certainly written before; null where stores may still be on their way. */
  readonly written: WrittenCells | null;
  /** Where the user's code creates it. */
  readonly place: Loc;
}

export class Execution {
  readonly graph = new TermGraph();
  readonly code: Code;
  readonly knowledge: Knowledge;
  readonly options: ExecuteOptions;
  readonly wordBits: 32 | 64;
  #seesIdentifiers: boolean | null = null;
  /** In which loops threads may spin. */
  readonly spinLoops: SpinLoops;
  /** Threads that are still to be executed; their creators add them. */
  readonly pending: PendingThread[] = [];
  readonly initial: InitialContents;
  readonly reach: ObjectReach;
  readonly unknowns: Unknowns;
  readonly carried: CarriedAddresses;
  readonly sparse: SparseRecord;
  /** Cells in which somebody may find what nobody wrote (first-contents.ts). By threads' memories. */
  readonly unwritten = new Set<Cell>();
  readonly writes: WriteRecord = { movements: new Map(), ofThread: new Set() };
  /** Of variables made by visible reads: the cells that they may have come from, and the step. By threads' memories. */
  readonly reads = new Map<Term, VisibleRead>();
  /** Allocations whose size is not constant; written when objects come to life. */
  readonly sizes = new Map<number, Term>();
  /** Turns around condition variables that were left out; written by idle-turns.ts. */
  readonly leftOutWaits: LeftOutWait[] = [];
  /** The locks of turns that polled and were left out; by the same. */
  readonly leftOutPolls: PolledLock[] = [];
  steps = 0;

  constructor(code: Code, knowledge: Knowledge, options: ExecuteOptions, detailed: ReadonlySet<MemoryObject>) {
    this.code = code;
    this.spinLoops = spinLoopsOf(code);
    this.knowledge = knowledge;
    this.carried = new CarriedAddresses(this.graph, knowledge);
    this.initial = new InitialContents(this);
    this.reach = new ObjectReach(knowledge);
    this.unknowns = new Unknowns(this.graph);
    this.sparse = { accesses: new Map(), addresses: new Map(), detailed };
    this.options = options;
    this.wordBits = wordSize(code.dataModel) === 4 ? 32 : 64;
  }

  /** Whether the program sees more of the identifiers of threads than that they differ. */
  seesIdentifiers(): boolean {
    this.#seesIdentifiers ??= seesIdentifiers(this.code);
    return this.#seesIdentifiers;
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
    return BigInt(functionAddress(id));
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
}

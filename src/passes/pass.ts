/**
 * What every pass gets besides the program: the options of the run, where to put diagnostics, and tables that outlive a
 * single pass because the tree has no place for them.
 */

import type { LoopForm } from '../program/find-loops.ts';
import { FreshSymbols } from '../program/fresh-symbols.ts';
import type { LabelSymbol, Program, VariableSymbol } from '../program/tree.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import type { Loc } from '../support/source.ts';
import type { SharedMemory } from './alias/find-shared-memory.ts';

export interface BoundOptions {
  /** One C statement is one step, as in the papers, unless it calls a function. */
  readonly atomicStatements: boolean;
  /** Reaching a label named ERROR is a violation. */
  readonly errorLabels: boolean;
  /** How often loop bodies and recursive calls are copied, unless one of the others says otherwise. */
  readonly unwind: number;
  readonly whileUnwind: number | null;
  readonly forUnwind: number | null;
  /** By the name of the loop (`main.0`) or of the recursive function. */
  readonly unwindset: ReadonlyMap<string, number>;
  /** Whether loops with a constant number of iterations are copied that often; the options above that name them win. */
  readonly unwindConstantLoops: boolean;
  /** An assertion instead of an assumption where a loop or recursion is cut. */
  readonly unwindingAssertions: boolean;
  /** The largest number of threads, main included. */
  readonly threadLimit: number;
  /** Calls of functions without a body stay, instead of giving any value: for running the result natively. */
  readonly keepUnknownCalls: boolean;
}

export const DEFAULT_BOUND_OPTIONS: BoundOptions = {
  atomicStatements: false,
  errorLabels: true,
  unwind: 1,
  whileUnwind: null,
  forUnwind: null,
  unwindset: new Map(),
  unwindConstantLoops: true,
  unwindingAssertions: false,
  threadLimit: 64,
  keepUnknownCalls: false,
};

/** What is known of a loop of the source. Copies of the loop keep its place, which is the key. */
export interface LoopInfo {
  /** `main.0`: the function and the number of the loop in it. */
  readonly name: string;
  readonly form: LoopForm;
  /** The number of iterations, where the text gives it away. */
  readonly tripCount: number | null;
}

/** One thread of the bounded program. */
export interface ThreadInfo {
  readonly number: number;
  /** The function of the bounded program that it runs. */
  readonly functionName: string;
  /** The function of the source that it starts in. */
  readonly startName: string;
  /** Where it is created; the start of main for thread 0. */
  readonly loc: Loc;
  /** The number of the thread that creates it; -1 for main. */
  readonly creator: number;
}

export interface PassContext {
  readonly options: BoundOptions;
  readonly sink: DiagnosticSink;
  readonly fresh: FreshSymbols;
  readonly loops: Map<Loc, LoopInfo>;
  /** For each compound literal's symbol (which has the initializer), the local variable that holds its value. */
  readonly literals: Map<VariableSymbol, VariableSymbol>;
  /** Labels whose address is taken: the number that stands for the address, and the function that they are in. */
  readonly labelNumbers: Map<LabelSymbol, { readonly number: number; readonly functionName: string }>;
  /** Filled by `duplicate-threads`. */
  readonly threads: ThreadInfo[];
  /** By thread: the variable that holds the argument it is started with. */
  readonly arguments: Map<number, VariableSymbol>;
  /**
   * The labels that stand before visible statements, filled by `label-visible-statements`. Counting them in a thread's
   * text gives their numbers.
   */
  readonly visibleLabels: Set<LabelSymbol>;
  /** By thread and number: the place of the statement behind the label. */
  readonly labelPlaces: (readonly Loc[])[];
  /** By thread: the number of its last label, which stands at the end. */
  readonly sizes: number[];
  /** What `findShared` has found. */
  readonly shared: WeakMap<Program, SharedMemory>;
}

export function createPassContext(options: BoundOptions, sink: DiagnosticSink): PassContext {
  return {
    options,
    sink,
    fresh: new FreshSymbols(),
    loops: new Map(),
    literals: new Map(),
    labelNumbers: new Map(),
    threads: [],
    arguments: new Map(),
    visibleLabels: new Set(),
    labelPlaces: [],
    sizes: [],
    shared: new WeakMap(),
  };
}

/** One row of the pipeline. */
export interface Pass {
  readonly name: string;
  readonly summary: string;
  readonly page: string;
  readonly run: (program: Program, context: PassContext) => Program;
}

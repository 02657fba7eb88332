/**
 * What every pass gets besides the program: the options of the run, where to put diagnostics, and tables that outlive a
 * single pass because the tree has no place for them. It ends with the pipeline: what others need of it is in the
 * bounded program.
 */

import type { BoundedProgram, LoopInfo } from '../program/bounded-program.ts';
import type { BoundOptions, Sought } from '../program/bounds.ts';
import { FreshSymbols } from '../program/fresh-symbols.ts';
import type { LabelSymbol, Program, VariableSymbol } from '../program/tree.ts';
import type { DiagnosticSink } from '../support/diagnostics.ts';
import type { Loc } from '../support/source.ts';
import type { SharedMemory } from './alias/find-shared-memory.ts';

export interface PassContext {
  readonly options: BoundOptions;
  readonly sink: DiagnosticSink;
  readonly fresh: FreshSymbols;
  readonly loops: Map<Loc, LoopInfo>;
  /** For each compound literal's symbol (which has the initializer), the local variable that holds its value. */
  readonly literals: Map<VariableSymbol, VariableSymbol>;
  /** Labels whose address is taken: the number that stands for the address, and the function that they are in. */
  readonly labelNumbers: Map<LabelSymbol, { readonly number: number; readonly functionName: string }>;
  /** What `findShared` has found. */
  readonly shared: WeakMap<BoundedProgram, SharedMemory>;
}

export function createPassContext(options: BoundOptions, sink: DiagnosticSink): PassContext {
  return {
    options,
    sink,
    fresh: new FreshSymbols(),
    loops: new Map(),
    literals: new Map(),
    labelNumbers: new Map(),
    shared: new WeakMap(),
  };
}

/** One row of the pipeline. */
export type Pass = {
  readonly name: string;
  readonly summary: string;
  readonly page: string;
  /** Relies on it that all loops are unwound, and is left out where they are kept. */
  readonly needsUnwound?: true;
  /** Whether it is run where this is sought; always, where nothing is said. */
  readonly isFor?: (seeks: Sought | null) => boolean;
} & (
  | { readonly on: 'source'; readonly run: (program: Program, context: PassContext) => Program }
  /** The pass that knows the threads. */
  | { readonly on: 'threads'; readonly run: (program: Program, context: PassContext) => BoundedProgram }
  | { readonly on: 'bounded'; readonly run: (program: BoundedProgram, context: PassContext) => BoundedProgram }
);

/**
 * The bounded program: all calls inlined, all loops unwound, one function for each thread, so that all jumps go forward
 * and each statement runs at most once. It is what the C-to-C passes end with (passes/pipeline.ts) and what schemas,
 * backends and analyses of that road begin with. Nobody changes it; a thread is known by its number, which is its place
 * in the list.
 *
 * With `options.keepLoops` only the threads are bounded: loops and jumps back stand in their functions, but no thread
 * is created inside of one.
 */

import type { Loc, SourceMap } from '../support/source.ts';
import type { BoundOptions } from './bounds.ts';
import type { DataModel } from './data-model.ts';
import type { LoopForm } from './find-loops.ts';
import type { FreshSymbols } from './fresh-symbols.ts';
import type { FunctionDefinition, LabelSymbol, Program, TopLevelItem, VariableSymbol } from './tree.ts';

/** What is known of a loop of the source. Copies of the loop keep its place, which is the key. */
export interface LoopInfo {
  /** `main.0`: the function and the number of the loop in it. */
  readonly name: string;
  readonly form: LoopForm;
  /** The number of iterations, where the text gives it away. */
  readonly tripCount: number | null;
}

export interface BoundedThread {
  readonly number: number;
  /** The function of the source that it starts in. */
  readonly startName: string;
  /** Where it is created; the start of main for thread 0. */
  readonly loc: Loc;
  /** The number of the thread that creates it; -1 for main. */
  readonly creator: number;
  readonly function: FunctionDefinition;
  /** The variable that holds the argument it is started with. */
  readonly argument: VariableSymbol | null;
  readonly labels: VisibleLabels;
}

/** The labels that stand before visible statements. Copies of loops share them: they are numbered in the text. */
export interface VisibleLabels {
  readonly symbols: ReadonlySet<LabelSymbol>;
  /** By number: the place of the statement behind the label. The last one stands at the end. */
  readonly places: readonly Loc[];
}

export interface BoundedProgram {
  readonly dataModel: DataModel;
  readonly sources: SourceMap;
  /** What it was bounded by. */
  readonly options: BoundOptions;
  /** Everything but functions, in the order of the text. */
  readonly globals: readonly TopLevelItem[];
  readonly loops: ReadonlyMap<Loc, LoopInfo>;
  /** By number; main is the first. Threads have greater numbers than their creators. */
  readonly threads: readonly BoundedThread[];
  /** Knows which variables are copies of which, and makes symbols for those who add some. */
  readonly fresh: FreshSymbols;
}

/** As a tree that can be printed. */
export function asProgram({ dataModel, sources, globals, threads }: BoundedProgram): Program {
  const functions = threads.map(({ function: definition }): TopLevelItem => {
    return { kind: 'function', definition, loc: definition.loc };
  });
  return { dataModel, sources, items: [...globals, ...functions] };
}

export function globalVariables({ globals }: BoundedProgram): VariableSymbol[] {
  return globals.flatMap((item) => (item.kind === 'variable' ? [item.symbol] : []));
}

/** The number of a thread's last label. */
export function lastLabel({ labels }: BoundedThread): number {
  return labels.places.length - 1;
}

/** The same program where the functions of threads are not rebuilt. */
export function mapThreads(
  program: BoundedProgram,
  rebuild: (thread: BoundedThread) => FunctionDefinition,
): BoundedProgram {
  let isChanged = false;
  const threads = program.threads.map((thread) => {
    const definition = rebuild(thread);
    if (definition === thread.function) return thread;
    isChanged = true;
    return { ...thread, function: definition };
  });
  return isChanged ? { ...program, threads } : program;
}

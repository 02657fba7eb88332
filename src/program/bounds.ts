/**
 * How far loops and recursion are followed, with one meaning on both roads. A bound of N lets
 * - the body of a `while`, `do` or `for` loop run N times,
 * - N jumps lead back to a label, which so is passed N + 1 times,
 * - a function be active N times besides the first.
 *
 * What is said of a loop or function by its name comes first, then what is said of `while` and `do` or of `for` loops,
 * then the bound for all. A loop with a constant number of iterations runs that often, unless it or its form has a
 * bound of its own.
 */

import type { LoopForm } from './find-loops.ts';
import type { MemoryModel } from './memory-model.ts';

export interface Bounds extends OwnBounds {
  /** For all loops and recursive functions of which nothing else is said. */
  readonly unwind: number;
}

export interface OwnBounds {
  /** For `while` and `do` loops. */
  readonly whileUnwind: number | null;
  readonly forUnwind: number | null;
  /** By the name of the loop (`main.0`) or of the recursive function. */
  readonly unwindset: ReadonlyMap<string, number>;
  readonly unwindConstantLoops: boolean;
}

export interface NamedLoop {
  readonly name: string;
  readonly form: LoopForm;
}

export function loopBound(loop: NamedLoop, bounds: Bounds): number {
  return ownBound(loop, bounds) ?? bounds.unwind;
}

/** Whether a constant number of iterations counts more than the bound. */
export function followsConstants(loop: NamedLoop, bounds: Bounds): boolean {
  return bounds.unwindConstantLoops && ownBound(loop, bounds) === null;
}

function ownBound({ name, form }: NamedLoop, { unwindset, forUnwind, whileUnwind }: Bounds): number | null {
  const named = unwindset.get(name);
  if (named !== undefined || form === 'goto') return named ?? null;
  return form === 'for' ? forUnwind : whileUnwind;
}

/** How many jumps lead back to the head of a loop that is followed so far. */
export function jumpsBack({ form }: NamedLoop, bound: number): number {
  return form === 'do' ? bound - 1 : bound;
}

/** How often the function may be active besides the first time. */
export function recursionBound(functionName: string, { unwindset, unwind }: Bounds): number {
  return unwindset.get(functionName) ?? unwind;
}

export function uniformBounds(unwind: number, unwindConstantLoops = true): Bounds {
  return { unwind, whileUnwind: null, forUnwind: null, unwindset: new Map(), unwindConstantLoops };
}

/** What a loop of the source runs when it is followed as far as the bounds allow. */
export function iterationBound(loop: NamedLoop & { readonly tripCount: number | null }, bounds: Bounds): number {
  return loop.tripCount !== null && followsConstants(loop, bounds) ? loop.tripCount : loopBound(loop, bounds);
}

/** The bounds of their own that some loops and functions have, as `while loops 3` and `main.0 5`. */
export function describeOwnBounds({ forUnwind, whileUnwind, unwindset }: OwnBounds): string[] {
  return [
    ...(forUnwind === null ? [] : [`for loops ${forUnwind}`]),
    ...(whileUnwind === null ? [] : [`while loops ${whileUnwind}`]),
    ...[...unwindset].map(([name, times]) => `${name} ${times}`),
  ];
}

/** What else the C-to-C road is told. */
export interface BoundOptions extends Bounds {
  /**
   * Loops stay, but for those that create threads: the bounds are for these. Recursion is refused then, since all calls
   * are inlined.
   */
  readonly keepLoops: boolean;
  /** One C statement is one step, as in the papers, unless it calls a function. */
  readonly atomicStatements: boolean;
  /** Under a weak one, fences and the orders of atomic stores stay, and what waits for stores has labels. */
  readonly memoryModel: MemoryModel;
  /** Reaching a label named ERROR is a violation. */
  readonly errorLabels: boolean;
  /** An assertion instead of an assumption where a loop or recursion is cut. */
  readonly unwindingAssertions: boolean;
  /** The largest number of threads, main included. */
  readonly threadLimit: number;
  /** Calls of functions without a body stay, instead of giving any value: for running the result natively. */
  readonly keepUnknownCalls: boolean;
  /** What is looked for besides assertions; it changes what the passes keep. */
  readonly seeks: Sought | null;
}

/** What a sequential program is asked about the state in which its schedule ends. */
export type Sought = 'deadlock' | 'race';

export const DEFAULT_BOUND_OPTIONS: BoundOptions = {
  ...uniformBounds(1),
  keepLoops: false,
  atomicStatements: false,
  memoryModel: 'sc',
  errorLabels: true,
  unwindingAssertions: false,
  threadLimit: 64,
  keepUnknownCalls: false,
  seeks: null,
};

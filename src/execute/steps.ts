/**
 * Steps: the bounded program as the engine encodes it. Every thread was executed symbolically once; what is left of it
 * is a list of steps in program order. A step has a guard (its path condition) and the shared accesses that it
 * performs, in order; a thread can be preempted before each step. Everything in between is terms (terms.ts), computed
 * once.
 *
 * Assumptions, assertions and cuts hang on the last step before them: they matter when that step has been passed. Of
 * those that hang on one step, what comes first counts first: nothing after a failed assertion or a cut matters.
 */

import type { CheckName, CodePoint } from '../program/code.ts';
import type { Draw } from '../program/draws.ts';
import type { MemoryModel } from '../program/memory-model.ts';
import type { AccessMode, MemoryOrder } from '../program/memory-order.ts';
import type { Loc } from '../support/source.ts';
import type { Term, TermGraph } from '../values/terms.ts';
import type { ValueSet } from '../values/value-set.ts';

declare const cellBrand: unique symbol;
export type CellId = number & { readonly [cellBrand]: true };

/** A scalar piece of memory that several threads can reach. */
export interface SharedCell {
  readonly id: CellId;
  readonly name: string;
  readonly width: number;
  readonly initial: Term;
  /** All values it ever has. */
  readonly set: ValueSet;
}

export interface AccessTarget {
  readonly cell: CellId;
  /** Holds when the address is that of the cell; at most one of the targets is selected. */
  readonly select: Term;
}

interface AccessBase {
  readonly guard: Term;
  readonly targets: readonly AccessTarget[];
  /** The instance of the instruction that makes it (program/instance-key.ts). */
  readonly key: string;
  /** What the instruction says of its order. */
  readonly mode: AccessMode;
  /** As what it counts in a data race; null for what is no access of the program's own. */
  readonly touch: Touch | null;
}

/**
 * How an access takes part in data races, where these are looked for. Those that are atomic do not race with each
 * other: atomic operations, and whatever stands in a section of the program's own. Thread routines touch what they
 * synchronise with in sections of theirs: that is no access, and neither is a publication (memory.ts).
 */
export type Touch = 'plain' | 'atomic';

export type Access =
  /** If the guard holds, the result is what the selected cell holds at that moment; otherwise it is free. */
  | (AccessBase & {
      readonly kind: 'read';
      readonly result: Term;
      /** It may give any value of the set of its result (weak-reads.ts). */
      readonly isFree?: boolean;
    })
  | (AccessBase & {
      readonly kind: 'write';
      readonly value: Term;
      /** Under a weak memory model: it may reach memory later than its step is passed. */
      readonly isDelayed: boolean;
    });

export interface Step {
  /** When it is false the step does nothing and goes with its predecessor. */
  readonly guard: Term;
  readonly accesses: readonly Access[];
  /** What else it does: creates a thread. The instance and its guard. */
  readonly creation: { readonly key: string; readonly guard: Term } | null;
  readonly loc: Loc;
  /** Under a weak memory model: all that the thread has stored before has reached memory when the step is passed. */
  readonly drains: boolean;
  /** Conditions that hang on it and have a smaller position lie before its end; null when it is never left. */
  readonly end: number | null;
}

/** Something that a thread comes to on its way. */
export interface Condition {
  /** The last step before it. */
  readonly step: number;
  readonly guard: Term;
  /** Its place among all conditions of the thread: along a path the numbers grow. */
  readonly position: number;
}

/** Passing the step with a true guard requires the condition, unless an assertion before it in the same step failed. */
export interface Assumption extends Condition {
  readonly condition: Term;
  /** A thread routine waits for it, or a loop, and deadlocks are looked for. */
  readonly waits: boolean;
  /** The number of the thread, plus one, that alone can bring it about: who holds the lock, or who is joined. */
  readonly holder: Term | null;
  /** It ends a turn of a loop that has changed nothing (idle-turns.ts); null for all others. */
  readonly turn: IdleTurn | null;
  /** The program ends here, in the middle of a section: what it did so far is done, but nobody sees any of it. */
  readonly endsProgram?: boolean;
}

/** A turn of a loop that the thread takes again and again for as long as memory holds what the turn has read. */
export interface IdleTurn {
  /** The results of its reads. */
  readonly reads: readonly Term[];
  /** It is so whatever happens by chance: no compare-and-exchange failed without reason. */
  readonly isForced: Term;
  /** The loop looks at memory that others write, so that its thread waits for something. */
  readonly looks: boolean;
}

export interface Assertion extends Condition {
  readonly condition: Term;
  readonly check: CheckName;
  readonly message: string;
  readonly loc: Loc;
  readonly key: string;
}

/** A path that ended because a bound was reached. What came before it, in its own step too, has happened. */
export interface Cut extends Condition {
  readonly kind: CutKind;
  /** The loop's name, the function that recursed too deep, or what was too much or cannot be followed. */
  readonly where: string;
  readonly loc: Loc;
}

/** Which bound ends the path; `unsupported` where it is none, but something that cannot be followed. */
export type CutKind = 'loop' | 'recursion' | 'limit' | 'unsupported';

/**
 * Stands after the accesses of its step and before those of the next; within an atomic section it does not matter.
 * Under sequential consistency only data races depend on it (watch-order.ts). Under a weak memory model a full fence
 * is a step of its own, which drains. The step is -1 before the first one.
 */
export interface Fence extends Condition {
  readonly order: MemoryOrder;
}

/** The thread comes to an instruction that somebody asked to hear of. */
export interface Visit {
  /** The last step before it; -1 when there is none. */
  readonly step: number;
  readonly guard: Term;
  readonly position: number;
  readonly thread: number;
  readonly point: CodePoint;
}

/** What `Cut.where` says of a cut of that kind. */
export function unsupportedWhere(message: string): string {
  return `unsupported: ${message}`;
}

export function isUnsupported({ kind }: Cut): boolean {
  return kind === 'unsupported';
}

export interface SteppedThread {
  readonly index: number;
  readonly name: string;
  /** What started it: null for main. Its steps can only run when the parent has passed that step with this guard. */
  readonly spawn: { readonly thread: number; readonly step: number; readonly guard: Term } | null;
  readonly steps: readonly Step[];
  /** These lists are in the order of their positions. */
  readonly assumptions: readonly Assumption[];
  readonly assertions: readonly Assertion[];
  readonly cuts: readonly Cut[];
  readonly fences: readonly Fence[];
  readonly visits: readonly Visit[];
  /** Where the whole program ends; of interest only to deadlocks. The step is -1 before the first one. */
  readonly halts: readonly Halt[];
}

export interface Halt {
  readonly step: number;
  readonly guard: Term;
}

/** A nondeterministic value: which instruction instance of which thread got it. */
export interface Input {
  readonly thread: number;
  /** Of the nondet instruction, or of the one that created the object. */
  readonly key: string;
  /** For memory that is read before it is written: the offset in the object. */
  readonly offset: number | null;
  /**
   * For memory whose place depends on the execution: its address, and that of its object. The offset then counts from
   * there.
   */
  readonly place?: { readonly address: Term; readonly base: bigint };
  /** Of a nondet instruction: what it is good for. */
  readonly draw?: Draw;
  readonly term: Term;
}

export interface SteppedProgram {
  readonly graph: TermGraph;
  readonly memoryModel: MemoryModel;
  readonly threads: readonly SteppedThread[];
  readonly cells: readonly SharedCell[];
  readonly inputs: readonly Input[];
  /** All objects lie between these addresses. */
  readonly objects: { readonly first: bigint; readonly end: bigint };
}

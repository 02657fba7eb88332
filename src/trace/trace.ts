/**
 * The counterexample as data: what every report shows and `--json` writes. All of it is plain JSON: numbers, strings,
 * lists and objects, no cycles. `version` grows when a field changes its meaning or goes away.
 *
 * A step is one stretch of one thread on one line of the program; what bundled models do inside a thread routine
 * belongs to the step that calls it. Steps are in the order of execution; the last one breaks the property.
 */

import type { CheckName } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';

export const TRACE_VERSION = 1;

export interface Trace {
  readonly version: typeof TRACE_VERSION;
  readonly dataModel: DataModel;
  readonly violation: TraceViolation;
  /** By number; 0 is main. */
  readonly threads: readonly TraceThread[];
  readonly steps: readonly TraceStep[];
  /** How often a step has another thread than the one before. */
  readonly contextSwitches: number;
  /** Of a very long run only its beginning, its end and its context switches are told: so many are left out in all. */
  readonly hiddenInstructions?: number;
}

export interface TraceViolation {
  readonly check: CheckName;
  readonly message: string;
  readonly thread: number;
  readonly place: TracePlace | null;
  /** Of a deadlock: who waits for what, and for whom. */
  readonly waits?: readonly TraceWait[];
  readonly race?: TraceRace;
}

/** A data race: what both sides touch, and the sides in the order of the run. */
export interface TraceRace {
  readonly object: string;
  readonly sides: readonly TraceRacingAccess[];
  /** The lock that is held at most places that touch the object, how many these are, and where it is not held. */
  readonly protection?: { readonly lock: string; readonly places: number; readonly without: readonly TracePlace[] };
}

export interface TraceRacingAccess {
  readonly thread: number;
  readonly kind: 'read' | 'write';
  readonly place: TracePlace | null;
  /** The calls that led there, outermost first; the last is where the access stands. */
  readonly callStack: readonly { readonly function: string; readonly place: TracePlace | null }[];
  /** What the thread held. */
  readonly locks: readonly string[];
}

/** One link of a circle in the order of locks: a thread that takes one lock while it holds another. */
export interface TraceLockLink {
  readonly thread: number;
  readonly holds: string;
  readonly since: TracePlace | null;
  readonly takes: string;
  readonly place: TracePlace | null;
  /** What else it holds. */
  readonly gates: readonly string[];
}

export interface TraceWait {
  readonly thread: number;
  /** The thread routine in which it waits. */
  readonly routine: string;
  readonly place: TracePlace | null;
  /** The mutex that it waits for; null when it waits for something else. */
  readonly object: string | null;
  /** The thread that holds it, or that is waited for; null when nobody in particular. */
  readonly holder: number | null;
  /** Where the holder took it. */
  readonly heldSince: TracePlace | null;
  /** It waits in a loop, of the routine, and not in a thread routine. */
  readonly spins?: boolean;
}

export interface TraceThread {
  readonly id: number;
  /** Its creator; -1 for main. */
  readonly parent: number;
  /** The routine that it runs. */
  readonly start: string;
}

export interface TracePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface TraceStep {
  readonly index: number;
  readonly thread: number;
  /** The step before was of another thread. */
  readonly isContextSwitch: boolean;
  /** Of a very long run: so many instructions before it are not told. */
  readonly hiddenBefore?: number;
  readonly function: string;
  /** The calls that led here, outermost first. */
  readonly callStack: readonly { readonly function: string; readonly place: TracePlace | null }[];
  readonly place: TracePlace | null;
  /** The source line, trimmed. */
  readonly statement: string;
  readonly values: readonly TraceValue[];
  /** What else happened in the step. */
  readonly events: readonly TraceEvent[];
  /** What it does to memory, in order, for a native replay. */
  readonly accesses?: readonly TraceAccess[];
}

export interface TraceValue {
  readonly kind: 'read' | 'write' | 'input';
  /** `x`, `stack.array[1].next`, `allocated#2.value`; `allocated#2+8` where the type is not known. */
  readonly name: string;
  readonly value: string;
  /** Before a write; null when it had no value. */
  readonly old: string | null;
  /** Done by a bundled model, such as a mutex's own words; or to the bytes between the members of a record. */
  readonly isInternal: boolean;
  /** Nothing is assigned: a variable is declared, and this is what it happens to hold. */
  readonly isUninitialised: boolean;
  /** Of a write under a weak memory model: it waits in the buffer of its thread until a `commit` tells of it. */
  readonly isPending?: boolean;
  /** Of a read: another thread has stored this before, but it has not reached memory. */
  readonly unseen?: { readonly thread: number; readonly value: string };
}

export type TraceEvent =
  | { readonly kind: 'create'; readonly child: number }
  | { readonly kind: 'exit' }
  /** The thread waits here: the step had no effect. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'call'; readonly function: string; readonly args: readonly string[] }
  | { readonly kind: 'return'; readonly value: string | null }
  | { readonly kind: 'branch'; readonly taken: boolean }
  /** Objects have the names that values give them: `allocated#1`. */
  | { readonly kind: 'allocate'; readonly object: string; readonly bytes: number }
  | { readonly kind: 'free'; readonly object: string }
  /** At the end of the program: it was not freed. */
  | { readonly kind: 'leak'; readonly object: string }
  /** A thread routine returns something other than 0, such as EBUSY. */
  | { readonly kind: 'result'; readonly function: string; readonly value: string }
  /** A pending store of the thread reaches memory; such a step has no other events, and its thread does not run. */
  | { readonly kind: 'commit'; readonly name: string; readonly value: string }
  | { readonly kind: 'violation'; readonly check: CheckName; readonly message: string };

/**
 * `read`, `write`: of memory that other threads may see, with the name of a static variable; `own`: of the thread's own
 * stack; `call NAME` and `end`: a routine of the library is called and has returned; `effect`: it writes; `create`: it
 * makes a thread; `exit`: the thread ends.
 */
export type TraceAccess =
  | `read ${string}`
  | `write ${string}`
  | 'own'
  | `call ${string}`
  | 'effect'
  | 'create'
  | 'end'
  | 'exit';

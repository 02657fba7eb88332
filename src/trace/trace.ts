/**
 * The counterexample as data: what every report shows and `--json` writes. All of it is plain JSON: numbers, strings, lists and
 * objects, no cycles. `version` grows when a field changes its meaning or goes away.
 *
 * A step is one stretch of one thread on one line of the program; what bundled models do inside a thread routine belongs to the step
 * that calls it. Steps are in the order of execution; the last one breaks the property.
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
}

export interface TraceViolation {
  readonly check: CheckName;
  readonly message: string;
  readonly thread: number;
  readonly place: TracePlace | null;
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
  readonly function: string;
  /** The calls that led here, outermost first. */
  readonly callStack: readonly { readonly function: string; readonly place: TracePlace | null }[];
  readonly place: TracePlace | null;
  /** The source line, trimmed. */
  readonly statement: string;
  readonly values: readonly TraceValue[];
  /** What else happened in the step. */
  readonly events: readonly TraceEvent[];
}

export interface TraceValue {
  readonly kind: 'read' | 'write' | 'input';
  /** `x`, `stack.array[1].next`, `allocated#2+8`. */
  readonly name: string;
  readonly value: string;
  /** Before a write; null when it had no value. */
  readonly old: string | null;
  /** Done by a bundled model, such as a mutex's own words. */
  readonly isInternal: boolean;
}

export type TraceEvent =
  | { readonly kind: 'create'; readonly child: number }
  | { readonly kind: 'exit' }
  /** The thread waits here: the step had no effect. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'call'; readonly function: string; readonly args: readonly string[] }
  | { readonly kind: 'return'; readonly value: string | null }
  | { readonly kind: 'branch'; readonly taken: boolean }
  | { readonly kind: 'violation'; readonly check: CheckName; readonly message: string };

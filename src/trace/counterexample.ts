/**
 * A counterexample as people and tools read it: the steps of an interleaving on the original source, up to the violation. It is plain
 * data with every place resolved, so that it can be written as JSON as it is (docs/formats/counterexample.md), whichever
 * engine found it.
 */

/** A place in the user's source; lines and columns count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface CounterexampleThread {
  /** 0 is main; then in the order of creation. */
  readonly number: number;
  /** The function of the source that it starts in. */
  readonly start: string;
  /** The thread that creates it; null for main. */
  readonly creator: number | null;
  /** Where it is created; null for main. */
  readonly created: SourcePlace | null;
}

export interface CounterexampleCall {
  readonly function: string;
  /** Where the caller stands; null for the function that a thread starts in. */
  readonly calledAt: SourcePlace | null;
}

export interface CounterexampleAssignment {
  /** As the user writes it: `x`, `s.b[1]`. */
  readonly variable: string;
  readonly value: string;
}

export interface CounterexampleStep {
  readonly thread: number;
  /** The function of the source that the statement stands in. */
  readonly function: string;
  /** From the start of the thread to this function, as far as it is known. */
  readonly callStack: readonly CounterexampleCall[];
  readonly place: SourcePlace;
  /** The statement's line in the source, without its indentation. */
  readonly statement: string;
  readonly assignments: readonly CounterexampleAssignment[];
  /** Another thread ran before this step. */
  readonly contextSwitch: boolean;
}

export interface CounterexampleViolation {
  /** The name of the check: `assertion`, `double-free`, … */
  readonly check: string;
  readonly message: string;
  readonly thread: number;
  readonly function: string;
  readonly callStack: readonly CounterexampleCall[];
  readonly place: SourcePlace;
  readonly statement: string;
}

export interface Counterexample {
  /** Those that were created on the way, and main. */
  readonly threads: readonly CounterexampleThread[];
  readonly steps: readonly CounterexampleStep[];
  readonly violation: CounterexampleViolation;
}

/** The number of context switches: how often a step is of another thread than the one before it. */
export function countContextSwitches({ steps, violation }: Counterexample): number {
  const switches = steps.filter(({ contextSwitch }) => contextSwitch).length;
  const last = steps.at(-1);
  return last !== undefined && last.thread !== violation.thread ? switches + 1 : switches;
}

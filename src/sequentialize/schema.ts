/** What a schema contributes to the emitted file besides the thread functions. */

import { builtin, expressionStatement, integer } from '../program/build-tree.ts';
import type { Statement } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { BackendSpelling } from './backend-spelling.ts';
import type { Conflicts } from './find-conflicts.ts';
import type { ControlMacros } from './write-thread.ts';

export interface SchemaThread {
  readonly number: number;
  readonly functionName: string;
  /** The number of its last label. */
  readonly size: number;
}

export interface SchemaInput {
  readonly threads: readonly SchemaThread[];
  /** The numbers of the threads in the order in which each round runs them. */
  readonly schedule: readonly number[];
  readonly rounds: number;
  /** Main runs once more after the last round. */
  readonly closingMain: boolean;
  readonly spelling: BackendSpelling;
  /** For schedules in normal form; null for all schedules. */
  readonly conflicts: Conflicts | null;
}

export interface Schema {
  readonly name: 'cav14' | 'lazy2';
  readonly summary: string;
  /** Whether its control variables have the backend's types of minimal width. */
  readonly usesControlBits: boolean;
  /** Whether all context switches are guessed before the simulation, so that conditions on them can be stated. */
  readonly guessesFirst: boolean;
  readonly macros: ControlMacros;
  /** The statement in a creator that makes a thread active. */
  readonly activate: (thread: number, loc: Loc) => Statement;
  /** Macros and control variables, before the program's own declarations. */
  readonly declarations: (input: SchemaInput) => readonly string[];
  /** The main function, after everything else. */
  readonly driver: (input: SchemaInput) => readonly string[];
}

/** The number of bits that hold all values up to the largest. */
export function bitsFor(largest: number): number {
  return Math.max(1, largest.toString(2).length);
}

/** A macro call with numbers as arguments. */
export function macroCall(name: string, args: readonly number[], loc: Loc): Statement {
  return expressionStatement(
    builtin(
      name,
      args.map((arg) => integer(arg, loc)),
      loc,
    ),
    loc,
  );
}

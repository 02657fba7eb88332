/** What a schema contributes to the emitted file besides the thread functions. */

import type { BodyWriter } from '../frontend/print/write-body.ts';
import type { Sought } from '../program/bounds.ts';
import { builtin, expressionStatement, integer } from '../program/build-tree.ts';
import type { FunctionDefinition, LabelSymbol, Statement } from '../program/tree.ts';
import type { Loc } from '../support/source.ts';
import type { BackendSpelling, NondetType } from './backend-spelling.ts';
import type { DelayedStores } from './declare-delays.ts';
import type { Conflicts } from './find-conflicts.ts';

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
  /** What is asked about the state in which the schedule ends. */
  readonly seeks: Sought | null;
  /** Under a weak memory model: the stores that may reach memory late. */
  readonly delays: DelayedStores | null;
}

/** A thread as its function is written. */
export interface ThreadText {
  readonly definition: FunctionDefinition;
  readonly thread: number;
  /** The labels of visible statements. */
  readonly labels: ReadonlySet<LabelSymbol>;
}

export interface Schema {
  readonly name: 'cav14' | 'lazy2' | 'ul';
  readonly summary: string;
  /** Whether loops stay as they are, so that only threads are bounded, and the number of rounds is not. */
  readonly keepsLoops: boolean;
  /** What the reader has before him. */
  readonly headComment: (input: SchemaInput) => readonly string[];
  /** The type of the values that control code draws. */
  readonly draws: NondetType;
  /** Whether its control variables have the backend's types of minimal width. */
  readonly usesControlBits: boolean;
  /** Whether all context switches are guessed before the simulation, so that conditions on them can be stated. */
  readonly guessesFirst: boolean;
  /** Writes everything between the braces of a thread's function. */
  readonly writeThread: (text: ThreadText, out: BodyWriter) => void;
  /** The statement in a creator that makes a thread active. */
  readonly activate: (thread: number, loc: Loc) => Statement;
  /** Macros and control variables, before the program's own declarations. */
  readonly declarations: (input: SchemaInput) => readonly string[];
  /** The main function, after everything else. */
  readonly driver: (input: SchemaInput) => readonly string[];
}

/** Of the schemas with rounds, in the words that they share. */
export function describeRounds(name: Schema['name'], { rounds }: SchemaInput): readonly string[] {
  const often = rounds === 1 ? 'one round' : `${rounds} rounds`;
  return [
    `/* Made by Lazuli from a program with threads (${name}, ${often}): in each round a thread goes on at the label`,
    '   where it stopped (pc), as far as its next stop (cs). */',
  ];
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

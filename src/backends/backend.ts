/**
 * What a backend is: a verifier of sequential C that reads the program which sequentialization makes. Each has one file
 * and one row of the table (backends.ts): how it spells nondeterminism, assumptions and assertions, how it is run, and
 * how its answer is read. All of it is data and pure functions; running it is the business of whoever has processes.
 */

import type { DataModel } from '../program/data-model.ts';
import type { BackendSpelling } from '../sequentialize/backend-spelling.ts';
import type { ContentField } from './allocated-contents.ts';

export interface Backend {
  /** As `--backend` wants it. */
  readonly name: string;
  /** As its makers write it. */
  readonly title: string;
  readonly spelling: BackendSpelling;
  /** null for those that are not run from here. */
  readonly verifier: Verifier | null;
}

export interface Verifier {
  /** A translation that comes first, as to bitcode. */
  readonly prepare: CommandLine | null;
  readonly run: CommandLine;
  /** Files that it wants beside the program, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments that stand where `{model}` does. */
  readonly dataModels: Readonly<Record<DataModel, readonly string[]>>;
  readonly readAnswer: (output: VerifierOutput) => BackendAnswer;
  /** What is run in its place when it crashes, and can still give an answer. */
  readonly afterCrash?: {
    readonly isOfUse: (output: VerifierOutput) => boolean;
    readonly run: CommandLine;
    readonly readAnswer: (output: VerifierOutput) => BackendAnswer;
  };
  /** How it says of all assertions which of them can fail; the answer's `failing` has them. */
  readonly all?: {
    readonly run: CommandLine;
    readonly readAnswer: (output: VerifierOutput) => BackendAnswer;
  };
  /**
   * The options that bound a program with loops: those of threads, and the driver's, which is the first of main. Others
   * are asked only about programs without loops of their own.
   */
  readonly unwinding?: (bounds: KeptLoopBounds) => readonly string[];
  /** Its violations come with steps that are read; one without them is not believed. */
  readonly tellsSteps?: boolean;
  /** What a piece of its output says about how far it is, for people; null if nothing. */
  readonly readProgress: (output: string) => string | null;
}

/** How far a program is followed in which loops are kept. */
export interface KeptLoopBounds {
  /** Iterations of each loop, each time that a thread is called. */
  readonly unwind: number;
  /** How often the driver calls the threads. */
  readonly rounds: number;
}

/**
 * In the arguments, `{file}` is the program, `{output}` what the preparation makes of it, `{model}` the data model,
 * `{options}` what the user adds.
 */
export interface CommandLine {
  readonly command: string;
  readonly arguments: readonly string[];
}

export interface VerifierOutput {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type BackendAnswer =
  /** No assertion of the sequential program can fail. */
  | { readonly kind: 'safe'; readonly statistics: BackendStatistics }
  | {
      readonly kind: 'violation';
      /** What the backend says of the assertion; '' for those that say nothing. */
      readonly description: string;
      /** The way there; empty for backends that tell nothing or whose traces are not read. */
      readonly steps: readonly BackendStep[];
      /** What it says of all assertions that can fail, where it was asked about all. */
      readonly failing?: readonly string[];
      readonly statistics: BackendStatistics;
    }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      /** The limit that it broke, if that is the reason. */
      readonly limit?: 'time' | 'memory';
    };

/** The size of the formula, for backends that tell it. */
export interface BackendStatistics {
  readonly variables: number | null;
  readonly clauses: number | null;
}

export const NO_STATISTICS: BackendStatistics = { variables: null, clauses: null };

/**
 * One step of the sequential program; an assignment outside of all functions gives an initial value. Lines are those of
 * the emitted file, from 1; 0 where the backend names none.
 */
export type BackendStep =
  | { readonly kind: 'call'; readonly callee: string; readonly line: number }
  | { readonly kind: 'return'; readonly callee: string }
  | {
      readonly kind: 'assignment';
      readonly line: number;
      readonly inFunction: string;
      readonly target: string;
      readonly value: string;
    }
  /** New memory, at the last call, with what lies in it. */
  | { readonly kind: 'allocation'; readonly object: string; readonly contents: readonly ContentField[] }
  /** A statement without effect on variables: a jump, an assumption. */
  | { readonly kind: 'location'; readonly line: number; readonly inFunction: string }
  | { readonly kind: 'failure'; readonly line: number; readonly inFunction: string; readonly description: string };

/** What stands for the places in a command line. */
export interface CommandPlaces {
  readonly file: string;
  readonly output: string;
  readonly model: readonly string[];
  readonly options: readonly string[];
}

/** The words of a command line, with the places filled in. */
export function fillCommandLine({ arguments: words }: CommandLine, places: CommandPlaces): string[] {
  const { file, output, model, options } = places;
  return words.flatMap((word) => {
    if (word === '{model}') return model;
    if (word === '{options}') return options;
    return [word.replaceAll('{file}', file).replaceAll('{output}', output)];
  });
}

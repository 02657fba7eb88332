/** What the user asks of a check, whichever engine answers: plain data. */

import type { OwnBounds } from '../program/bounds.ts';
import type { MemoryModel } from '../program/memory-model.ts';

/** A comparison of a witness; the name `\result` is what a call returns. */
export interface WitnessCondition {
  readonly name: string;
  readonly relation: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string;
}

/** A place of a witness, plain data. */
export interface WitnessPlace {
  /** What happens there: a statement, a branch, the entry of a function that is called there, or its return. */
  readonly kind: 'statement' | 'branching' | 'enter' | 'return' | 'target';
  /** Null: any. */
  readonly thread: number | null;
  /** Without folders; null: any. */
  readonly file: string | null;
  /** 0, of the last place only: any. */
  readonly line: number;
  /** From 1; null: any. */
  readonly column: number | null;
  /** What holds before it, or when it returns; all of them. */
  readonly conditions: readonly WitnessCondition[];
  /** Its condition is false whatever happens. */
  readonly isNever?: boolean;
  /** Of an entry: the function. To be in it is enough. */
  readonly function?: string;
  /** Of a branching: `true`, `false`, or the label of a switch. */
  readonly way?: string;
  /** Places that no thread passes on the way here. */
  readonly avoided?: readonly WitnessPlace[];
  /** Of a data race: the other access, which may come last as well. */
  readonly alternatives?: readonly WitnessPlace[];
}

/** In the order of the execution; the last one is the violation. */
export type WitnessPath = readonly WitnessPlace[];

/** Whether values are encoded in the bits that they need, or in their declared widths. */
export type ValueAnalysisChoice = 'builtin' | 'none';

export interface CheckOptions extends OwnBounds {
  /** `proof`: ask for a proof and nothing else. */
  readonly goal: 'verdict' | 'proof';
  /** What the user fixed; null where the check may choose. */
  readonly unwind: number | null;
  readonly rounds: number | null;
  /** Context switches instead of rounds. */
  readonly contextSwitches: number | null;
  /** After the last round main goes on once more. */
  readonly closingMain: boolean;
  /** Concrete runs before and beside the solver. */
  readonly explore: boolean;
  readonly valueAnalysis: ValueAnalysisChoice;
  readonly memoryModel: MemoryModel;
  /** Look for fences that repair what breaks under a weak memory model. */
  readonly suggestFences: boolean;
  readonly seed: number;
  /** After a data race all others that concrete runs come across are told, too. */
  readonly allRaces: boolean;
  /** Only runs that keep to it are looked at. */
  readonly witness?: WitnessPath | undefined;
}

export const DEFAULT_CHECK_OPTIONS: CheckOptions = {
  goal: 'verdict',
  unwind: null,
  rounds: null,
  contextSwitches: null,
  whileUnwind: null,
  forUnwind: null,
  unwindset: new Map(),
  unwindConstantLoops: true,
  closingMain: true,
  explore: true,
  valueAnalysis: 'builtin',
  memoryModel: 'sc',
  suggestFences: false,
  seed: 1,
  allRaces: false,
};

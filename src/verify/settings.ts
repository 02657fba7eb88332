/** What is verified and how: plain data, the same for the command line, the library and the worker between them. */

import { type CheckOptions, DEFAULT_CHECK_OPTIONS } from '../engines/check-options.ts';
import type { ProgramOptions, SourceText } from '../frontend/front-end.ts';
import type { CheckName } from '../program/check-names.ts';
import type { DataModel } from '../program/data-model.ts';

/** The files of a program. */
export interface Source {
  /** As reports call the program. */
  readonly name: string;
  /** Each may have options of its own, which come before those of the settings. */
  readonly files: readonly SourceText[];
  /** They are those of a project, of which the program takes what it needs. */
  readonly project?: ProgramOptions['project'];
}

export interface VerifySettings extends CheckOptions {
  readonly dataModel: DataModel;
  readonly includePaths: readonly string[];
  /** Macros, as `NAME` or `NAME=VALUE`. */
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
  /** The function to start at, with any arguments; null for main. */
  readonly start: string | null;
  /** What other files should define is taken as input, as other functions without a body; not refused. */
  readonly allowUndefined: boolean;
  /** What to look for; null: what is usual for the program. */
  readonly checks: readonly CheckName[] | null;
  /** One C statement is one step, whatever it accesses. */
  readonly atomicStatements: boolean;
  /** Variables whose data races are accepted. */
  readonly allowedRaces: readonly string[];
  readonly timeLimitMs: number;
}

export const DEFAULT_SETTINGS: VerifySettings = {
  ...DEFAULT_CHECK_OPTIONS,
  dataModel: 'LP64',
  includePaths: [],
  defines: [],
  undefines: [],
  start: null,
  allowUndefined: false,
  checks: null,
  atomicStatements: false,
  allowedRaces: [],
  timeLimitMs: 60_000,
};

/** The settings do not fit the program, or one another. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

// The options of every command that reads C, and what they mean for the front end. A command spreads `frontEndOptions`
// into its own table and hands the parsed values to `readInput` and `toFrontEndSettings`.

import type { SourceReader } from '../frontend/preprocess/options.ts';
import { createFileReader } from '../host/source-files.ts';
import type { DataModel } from '../program/data-model.ts';
import type { OptionTable, OptionValues } from './options.ts';

export const frontEndOptions = {
  include: {
    kind: 'text',
    short: 'I',
    value: 'DIR',
    repeated: true,
    help: 'look for headers in DIR',
    group: 'Reading C',
  },
  define: {
    kind: 'text',
    short: 'D',
    value: 'NAME[=VALUE]',
    repeated: true,
    help: 'define a macro',
    group: 'Reading C',
  },
  undefine: {
    kind: 'text',
    short: 'U',
    value: 'NAME',
    repeated: true,
    help: 'take back the definition of a macro',
    group: 'Reading C',
  },
  dataModel: {
    kind: 'choice',
    choices: ['32', '64'],
    asFlags: true,
    default: '64',
    help: 'sizes of the basic types: ILP32 or LP64',
    group: 'Reading C',
  },
  cpp: {
    kind: 'text',
    value: 'COMMAND',
    help: 'preprocess with this command (as "gcc -E"), with the headers of the system',
    group: 'Reading C',
  },
  mallocMayFail: {
    kind: 'flag',
    help: 'malloc and its like may give a null pointer at every call',
    group: 'Reading C',
  },
  spuriousWakeups: {
    kind: 'flag',
    default: true,
    help: 'condition variables wake up for signals only',
    group: 'Reading C',
  },
} as const satisfies OptionTable;

export type FrontEndOptionValues = OptionValues<typeof frontEndOptions>;

/** What the front end is told, whatever the file. */
export interface FrontEndSettings {
  readonly dataModel: DataModel;
  readonly reader: SourceReader;
  readonly includePaths: readonly string[];
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
}

export function toDataModel(options: FrontEndOptionValues): DataModel {
  return options.dataModel === '32' ? 'ILP32' : 'LP64';
}

/** Macros with which the models are configured begin so. */
const MODEL_MACRO = /^__LAZULI_/;

/** With `--cpp`, the macros were dealt with by the command, except for those of the models, which come later. */
export function toFrontEndSettings(options: FrontEndOptionValues): FrontEndSettings {
  const isLeft = (macro: string) => options.cpp === undefined || MODEL_MACRO.test(macro);
  return {
    dataModel: toDataModel(options),
    reader: createFileReader(),
    includePaths: options.include,
    defines: [...options.define.filter(isLeft), ...modelMacros(options)],
    undefines: options.undefine.filter(isLeft),
  };
}

/** What the options say about the library, as the models take it (headers/models/constants.h). */
function modelMacros({ mallocMayFail, spuriousWakeups }: FrontEndOptionValues): string[] {
  const macros: string[] = [];
  if (mallocMayFail) macros.push('__LAZULI_MALLOC_MAY_FAIL=1');
  if (!spuriousWakeups) macros.push('__LAZULI_SPURIOUS_WAKEUPS=0');
  return macros;
}

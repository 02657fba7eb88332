// The options of every command that reads C, and what they mean for the front end. A command spreads `frontEndOptions`
// into its own table and hands the parsed values to `readProgramInput`.

import type { SourceText } from '../frontend/front-end.ts';
import type { Option, OptionTable, OptionValues } from './options.ts';

/** For commands that would otherwise take as long as they like. */
export const timeoutOption = {
  kind: 'number',
  value: 'SECONDS',
  min: 0.1,
  max: 1_000_000,
  fraction: true,
  default: 60,
  help: 'give up after this time',
} as const satisfies Option;

/** For commands that read each file on its own. */
export const singleFileOptions = {
  include: {
    kind: 'text',
    short: 'I',
    value: 'DIR',
    repeated: true,
    help: 'look for headers in DIR',
    group: 'Reading C',
  },
  isystem: {
    kind: 'text',
    value: 'DIR',
    repeated: true,
    help: 'look for headers in DIR afterwards, and give no warnings about them; also -isystem',
    group: 'Reading C',
  },
  iquote: {
    kind: 'text',
    value: 'DIR',
    repeated: true,
    help: 'look for "headers" in DIR first; also -iquote',
    group: 'Reading C',
  },
  includeFile: {
    kind: 'text',
    value: 'FILE',
    repeated: true,
    help: 'include FILE before the first line; also -include',
    group: 'Reading C',
  },
  macrosFile: {
    kind: 'text',
    value: 'FILE',
    repeated: true,
    help: 'take the macros of FILE before that, and nothing else of it; also -imacros',
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
  std: {
    kind: 'text',
    value: 'NAME',
    help: 'the standard that __STDC_VERSION__ tells and that inline follows: c89, gnu11, …; also -std=NAME',
    group: 'Reading C',
  },
  gnu89Inline: { kind: 'flag', long: 'gnu89-inline', help: 'inline as in GNU C before C99', group: 'Reading C' },
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

/** For commands that make one program of all files. */
export const frontEndOptions = {
  compileCommands: {
    kind: 'text',
    value: 'DIR',
    help: 'take files and their options from compile_commands.json in DIR; operands choose among the files',
    group: 'Several files',
  },
  main: {
    kind: 'text',
    value: 'FILE',
    help: 'the file whose main is meant, and from which on files of --compile-commands are taken',
    group: 'Several files',
  },
  function: {
    kind: 'text',
    value: 'NAME',
    help: 'start at this function instead of main, with any arguments',
    group: 'Several files',
  },
  allowUndefined: {
    kind: 'flag',
    help: 'go on without the files that define the rest of the program: functions give any value',
    group: 'Several files',
  },
  ...singleFileOptions,
} as const satisfies OptionTable;

/** For the notes of `--help`. */
export const compilerNote =
  'Options of compilers are accepted: -m32, -m64, -std, -include, -imacros, -isystem and -iquote do what they say, others (-Wall -O2 -g -pthread -fPIC -c …) nothing.';

export type SingleFileOptionValues = OptionValues<typeof singleFileOptions>;
export type FrontEndOptionValues = OptionValues<typeof frontEndOptions>;

/** How one file is read: by the command line, or by its entry in a compilation database. */
export type FileOptions = Pick<
  SingleFileOptionValues,
  'include' | 'iquote' | 'isystem' | 'includeFile' | 'macrosFile' | 'define' | 'undefine' | 'std' | 'gnu89Inline'
>;

/** Macros with which the models are configured begin so. */
const MODEL_MACRO = /^__LAZULI_/;

/** With `--cpp`, the macros were dealt with by the command, except for those of the models, which come later. */
export function toSourceText(
  { fileName, text }: { readonly fileName: string; readonly text: string },
  file: FileOptions,
  options: SingleFileOptionValues,
): SourceText {
  const isDone = options.cpp !== undefined;
  const isLeft = (macro: string) => !isDone || MODEL_MACRO.test(macro);
  return {
    fileName,
    text,
    includePaths: file.include,
    quotePaths: file.iquote,
    systemPaths: file.isystem,
    forcedIncludes: isDone ? [] : file.includeFile,
    macroFiles: isDone ? [] : file.macrosFile,
    defines: [...file.define.filter(isLeft), ...modelMacros(options)],
    undefines: file.undefine.filter(isLeft),
    ...(file.std === undefined ? {} : { standard: file.std }),
    ...(file.gnu89Inline ? { gnuInline: true } : {}),
  };
}

/** What the options say about the library, as the models take it (headers/models/constants.h). */
function modelMacros({ mallocMayFail, spuriousWakeups }: SingleFileOptionValues): string[] {
  const macros: string[] = [];
  if (mallocMayFail) macros.push('__LAZULI_MALLOC_MAY_FAIL=1');
  if (!spuriousWakeups) macros.push('__LAZULI_SPURIOUS_WAKEUPS=0');
  return macros;
}

/**
 * Macros that are there before the first line: the tables of gcc's predefined macros, the user's `-D` and `-U`, and
 * those computed at each use (`__LINE__` …). Dates are fixed, `Jan  1 1970` at midnight: the same input must give the
 * same verdict every day.
 */

import type { Loc } from '../../support/source.ts';
import type { PreprocessingToken } from '../lex/token.ts';
import type { Macro } from './macro.ts';
import type { PreprocessOptions } from './options.ts';
import { COMMON_MACROS, ILP32_MACROS, LP64_MACROS } from './predefined-macros.ts';
import type { Session } from './session.ts';

const COMPUTED: readonly string[] = [
  '__LINE__',
  '__FILE__',
  '__FILE_NAME__',
  '__BASE_FILE__',
  '__INCLUDE_LEVEL__',
  '__COUNTER__',
  '__DATE__',
  '__TIME__',
  '__TIMESTAMP__',
];

export function addComputedMacros(session: Session): void {
  for (const name of COMPUTED) {
    const number = session.sources.addMacroName(name);
    session.macros.set(name, { kind: 'builtin', name, loc: 0 as Loc, number, disabled: false });
  }
}

/** Words of CBMC for what C has, too. */
const CBMC_WORDS = `#define __CPROVER_thread_local _Thread_local
#define __CPROVER_bool _Bool
#define __CPROVER_size_t __SIZE_TYPE__
`;

/** The predefined macros as a text of `#define` lines. */
export function predefinedText({ dataModel }: Pick<PreprocessOptions, 'dataModel'>): string {
  const table = dataModel === 'ILP32' ? ILP32_MACROS : LP64_MACROS;
  return `${COMMON_MACROS}${table}#define __LAZULI__ 1\n${CBMC_WORDS}`;
}

/**
 * `-D`, `-U` and `-imacros` as a text of directives, of which only the macros count. What follows a line end in a
 * definition is dropped, as in gcc.
 */
export function commandLineText(options: PreprocessOptions): string {
  const defines = (options.defines ?? []).map((definition) => {
    const [line = ''] = definition.split('\n', 1);
    const equals = line.indexOf('=');
    return equals < 0 ? `#define ${line} 1` : `#define ${line.slice(0, equals)} ${line.slice(equals + 1)}`;
  });
  const undefines = (options.undefines ?? []).map((name) => `#undef ${name.split('\n', 1)[0]}`);
  return `${[...defines, ...undefines, ''].join('\n')}${includeText(options.macroFiles)}`;
}

/** Headers as a text of directives. */
export function includeText(names: readonly string[] = []): string {
  return names.map((name) => `#include "${name}"\n`).join('');
}

/** The token that a computed macro stands for where it is used. */
export function builtinToken(session: Session, macro: Macro, use: PreprocessingToken): PreprocessingToken {
  const text = builtinText(session, macro, use);
  const loc = session.sources.addExpansion(use.loc, use.loc, macro.number);
  return { ...use, kind: text.startsWith('"') ? 'string' : 'number', text, loc, noExpand: true };
}

function builtinText(session: Session, macro: Macro, use: PreprocessingToken): string {
  const place = session.sources.place(use.loc);
  switch (macro.name) {
    case '__LINE__':
      return String(place?.line ?? 0);
    case '__FILE__':
      return quote(place?.file ?? session.options.fileName);
    case '__FILE_NAME__':
      return quote((place?.file ?? session.options.fileName).replace(/^.*\//, ''));
    case '__BASE_FILE__':
      return quote(session.options.fileName);
    case '__INCLUDE_LEVEL__':
      return String(Math.max(0, session.files.length - 1));
    case '__COUNTER__':
      return String(session.counter++);
    case '__DATE__':
      return '"Jan  1 1970"';
    case '__TIME__':
      return '"00:00:00"';
    default:
      return '"Thu Jan  1 00:00:00 1970"';
  }
}

export function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

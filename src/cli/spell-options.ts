// Options as somebody would write them on a command line: for commands that write commands.

import { longName, type OptionTable } from './options.ts';

/** Those that were given, but for some. */
export function spellOptions(
  table: OptionTable,
  values: Readonly<Record<string, unknown>>,
  given: ReadonlySet<string>,
  except: ReadonlySet<string>,
): string[] {
  return Object.entries(table)
    .filter(([key]) => given.has(key) && !except.has(key))
    .flatMap(([key, option]) => {
      const name = longName(key, option);
      const value = values[key];
      if (option.kind === 'flag') return [value === true ? `--${name}` : `--no-${name}`];
      if (option.kind === 'choice' && option.asFlags) return [`--${String(value)}`];
      if (option.kind === 'list') return [`--${name}=${(value as readonly string[]).join(',')}`];
      const list = Array.isArray(value) ? value : [value];
      return list.map((each) => `--${name}=${String(each)}`);
    });
}

/** A word of a shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

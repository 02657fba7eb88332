// Compilation databases: `compile_commands.json` as CMake, Meson and Bear write it. An entry has a file, the directory
// that its names are relative to, and the command as one text or as a list of arguments. What compilers take besides
// the options that Lazuli knows is ignored. Files that are no C are left out.

import path from 'node:path';
import { readCompilerOption } from './compiler-options.ts';
import type { FileOptions } from './front-end-options.ts';
import { splitCommand } from './split-command.ts';

/** A file of the database and how it is compiled. */
export interface CompiledFile {
  readonly file: string;
  readonly options: FileOptions;
  /** null where the command does not say. */
  readonly dataModel: '32' | '64' | null;
}

export type ReadDatabase =
  | { readonly kind: 'database'; readonly files: readonly CompiledFile[] }
  | { readonly kind: 'problem'; readonly message: string };

/** Reads the text of a database. `name` is for messages; its folder is what relative directories are relative to. */
export function readCompileCommands(text: string, name: string): ReadDatabase {
  const problem = (message: string): ReadDatabase => ({ kind: 'problem', message: `${name}: ${message}` });
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    return problem(`no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (!Array.isArray(entries)) return problem('a compilation database is a list');
  const files = new Map<string, CompiledFile>();
  for (const [i, entry] of entries.entries()) {
    const read = readEntry(entry, path.dirname(name));
    if (typeof read === 'string') return problem(`entry ${i + 1}: ${read}`);
    // A file that is compiled several times is taken as it is compiled first.
    if (read !== null && !files.has(read.file)) files.set(read.file, read);
  }
  return files.size === 0 ? problem('there are no C files in it') : { kind: 'database', files: [...files.values()] };
}

/** An entry, null for what is no C, or what is wrong with it. */
function readEntry(entry: unknown, home: string): CompiledFile | string | null {
  if (typeof entry !== 'object' || entry === null) return 'no object';
  const { file, directory, command, arguments: list } = entry as Record<string, unknown>;
  if (typeof file !== 'string') return "there is no 'file'";
  if (directory !== undefined && typeof directory !== 'string') return "'directory' is no text";
  const args = Array.isArray(list) ? list : typeof command === 'string' ? splitCommand(command, true) : null;
  if (args === null) return "there is neither 'arguments' nor 'command'";
  if (!args.every((argument) => typeof argument === 'string')) return "'arguments' are no texts";
  if (!/\.[ci]$/.test(file)) return null;
  const at = path.resolve(home, directory ?? '.');
  return readCommand(args.slice(1), path.resolve(at, file), at);
}

const VALUE_OPTIONS: Readonly<Record<string, 'include' | 'define' | 'undefine'>> = {
  '-I': 'include',
  '-D': 'define',
  '-U': 'undefine',
};

function readCommand(args: readonly string[], file: string, directory: string): CompiledFile | string {
  const lists = {
    include: [],
    define: [],
    undefine: [],
    iquote: [],
    isystem: [],
    includeFile: [],
    macrosFile: [],
  } as Record<'include' | 'define' | 'undefine' | 'iquote' | 'isystem' | 'includeFile' | 'macrosFile', string[]>;
  let std: string | undefined;
  let gnu89Inline = false;
  let dataModel: '32' | '64' | null = null;
  const rest = [...args];
  const near = (name: string) => path.resolve(directory, name);
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const key = VALUE_OPTIONS[argument.slice(0, 2)];
    if (key !== undefined) {
      const value = argument.length > 2 ? argument.slice(2) : (rest.shift() ?? '');
      lists[key].push(key === 'include' ? near(value) : value);
      continue;
    }
    const option = readCompilerOption(argument);
    if (option?.kind === 'refused') return option.message;
    if (option?.kind === 'ignored' && option.takesNext) rest.shift();
    if (option?.kind === 'flag' && option.option === '--gnu89-inline') gnu89Inline = true;
    else if (option?.kind === 'flag') dataModel = option.option === '--32' ? '32' : '64';
    if (option?.kind !== 'translated') continue;
    const value = option.value ?? rest.shift() ?? '';
    if (option.option === '--std') std = value;
    else if (option.option === '--define') lists.define.push(value);
    else if (option.option === '--isystem') lists.isystem.push(near(value));
    else if (option.option === '--iquote') lists.iquote.push(near(value));
    else if (option.option === '--macros-file') lists.macrosFile.push(near(value));
    else lists.includeFile.push(near(value));
  }
  return { file: shorten(file), options: { ...lists, std, gnu89Inline }, dataModel };
}

/** As people would write it: relative to where they are, if it lies below. */
function shorten(file: string): string {
  const relative = path.relative('', file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

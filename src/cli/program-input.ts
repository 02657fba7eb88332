// The program that a command is about: the files that its operands or a compilation database name, read and with the
// options of each, and what holds for all of them. What is wrong has been told when the result is a failure.

import { statSync } from 'node:fs';
import path from 'node:path';
import type { ProgramOptions, SourceText } from '../frontend/front-end.ts';
import { type CompiledFile, readCompileCommands } from './compile-commands.ts';
import { reportUnusable } from './define-command.ts';
import { type FileOptions, type FrontEndOptionValues, toSourceText } from './front-end-options.ts';
import type { Io } from './io.ts';
import { type InputFailure, readInput, readText } from './read-input.ts';

export interface ProgramInput {
  readonly kind: 'program';
  readonly files: readonly SourceText[];
  readonly options: Required<Pick<ProgramOptions, 'dataModel' | 'start' | 'project' | 'allowUndefined'>> & {
    readonly start: string | null;
  };
}

interface FileRequest {
  readonly file: string;
  readonly options: FileOptions;
  readonly dataModel: '32' | '64';
}

/** Reads the files of a program. `isDataModelGiven`: what a compilation database says about it does not count. */
export async function readProgramInput(
  operands: readonly string[],
  options: FrontEndOptionValues,
  isDataModelGiven: boolean,
  io: Pick<Io, 'err'>,
): Promise<ProgramInput | InputFailure> {
  const requests = listFiles(operands, options, isDataModelGiven);
  if (typeof requests === 'string') return fail(io, requests);
  const model = findDataModel(requests);
  if (typeof model !== 'object') return fail(io, model);
  const files: SourceText[] = [];
  for (const request of requests) {
    const input = await readInput(request.file, { ...options, ...request.options, dataModel: request.dataModel }, io);
    if (input.kind === 'failed') return input;
    files.push(toSourceText(input, request.options, options));
  }
  const isProject = options.compileCommands !== undefined && operands.length === 0;
  return {
    kind: 'program',
    files,
    options: {
      dataModel: model.dataModel === '32' ? 'ILP32' : 'LP64',
      start: options.function ?? null,
      allowUndefined: options.allowUndefined,
      project: isProject || options.main !== undefined ? { main: options.main ?? null } : null,
    },
  };
}

function fail(io: Pick<Io, 'err'>, message: string): InputFailure {
  return { kind: 'failed', code: reportUnusable(io, message) };
}

/** The files to be read, or why there are none. */
function listFiles(
  operands: readonly string[],
  options: FrontEndOptionValues,
  isDataModelGiven: boolean,
): FileRequest[] | string {
  const plain = (file: string): FileRequest => ({ file, options, dataModel: options.dataModel as '32' | '64' });
  if (options.compileCommands === undefined) return operands.map(plain);
  const name = findDatabase(options.compileCommands);
  const input = readText(name);
  if (input.kind !== 'text') return input.message;
  const database = readCompileCommands(input.text, name);
  if (database.kind === 'problem') return database.message;
  const compiled = (entry: CompiledFile): FileRequest => ({
    file: entry.file,
    options: addOptions(entry.options, options),
    dataModel: (isDataModelGiven ? null : entry.dataModel) ?? (options.dataModel as '32' | '64'),
  });
  if (operands.length === 0) return database.files.map(compiled);
  return operands.map((operand) => {
    const entry = database.files.find(({ file }) => path.resolve(file) === path.resolve(operand));
    return entry === undefined ? plain(operand) : compiled({ ...entry, file: operand });
  });
}

function findDatabase(given: string): string {
  const isDirectory = statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isDirectory ? path.join(given, 'compile_commands.json') : given;
}

/** Options of the command line come after those of the database: the last definition of a macro counts. */
function addOptions(file: FileOptions, options: FrontEndOptionValues): FileOptions {
  return {
    include: [...file.include, ...options.include],
    iquote: [...file.iquote, ...options.iquote],
    isystem: [...file.isystem, ...options.isystem],
    includeFile: [...file.includeFile, ...options.includeFile],
    macrosFile: [...file.macrosFile, ...options.macrosFile],
    define: [...file.define, ...options.define],
    undefine: [...file.undefine, ...options.undefine],
    std: options.std ?? file.std,
    gnu89Inline: options.gnu89Inline || file.gnu89Inline,
  };
}

/** The data model of all files, or why there is none. */
function findDataModel(requests: readonly FileRequest[]): { readonly dataModel: '32' | '64' } | string {
  const [first] = requests;
  if (first === undefined) return 'there is no file to read';
  const other = requests.find(({ dataModel }) => dataModel !== first.dataModel);
  if (other === undefined) return { dataModel: first.dataModel };
  return `'${first.file}' is compiled for ${first.dataModel} bits and '${other.file}' for ${other.dataModel}: --32 or --64 says which counts`;
}

const LISTED_FILES = 3;

/** What reports call the program. */
export function nameProgram(operands: readonly string[], options: FrontEndOptionValues): string {
  const files = operands.map((operand) => (operand === '-' ? '<stdin>' : operand));
  if (files.length === 0) return options.main ?? options.compileCommands ?? '';
  if (files.length <= LISTED_FILES) return files.join(' ');
  return `${files[0]} and ${files.length - 1} other files`;
}

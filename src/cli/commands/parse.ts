// `lazuli parse`: reads C, reports what is wrong with it, and prints it back. Every stage can be looked at with --dump.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type ReadResult, readProgram } from '../../frontend/front-end.ts';
import { printAst } from '../../frontend/parse/print-ast.ts';
import { printPreprocessed } from '../../frontend/preprocess/print-preprocessed.ts';
import { printProgram } from '../../frontend/print/print-program.ts';
import { printTokens } from '../../frontend/print/print-tokens.ts';
import { printTypes } from '../../frontend/print/print-types.ts';
import { createFileReader } from '../../host/source-files.ts';
import { TimeLimit } from '../../host/time-limit.ts';
import { diagnosticsToJson, printDiagnostics } from '../../support/print-diagnostics.ts';
import { pushAll } from '../../support/push-all.ts';
import { defineCommand, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import {
  compilerNote,
  type SingleFileOptionValues,
  singleFileOptions,
  timeoutOption,
  toSourceText,
} from '../front-end-options.ts';
import type { Io } from '../io.ts';
import { readInput } from '../read-input.ts';
import { ensureWritable, findOverwritten, writeFile } from '../write-file.ts';

const DUMPS = ['tokens', 'preprocessed', 'ast', 'types'] as const;
type Dump = (typeof DUMPS)[number];

interface ParseOptions extends SingleFileOptionValues {
  readonly dump: readonly Dump[];
  readonly dumpDir: string | undefined;
  readonly output: string | undefined;
  readonly json: boolean;
  readonly timeout: number;
  readonly quiet: boolean;
  readonly checkOnly: boolean;
}

export const run = defineCommand({
  name: 'parse',
  summary: 'Reads C programs, reports their errors, and prints them as the tool understands them.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, compiled: true },
  options: {
    ...singleFileOptions,
    dump: { kind: 'list', choices: DUMPS, help: 'print these stages instead of the program' },
    dumpDir: {
      kind: 'text',
      value: 'DIR',
      help: 'write the stages, all unless --dump names some, to numbered files in DIR',
    },
    output: { kind: 'text', short: 'o', value: 'FILE', help: 'write to FILE instead of the terminal' },
    timeout: timeoutOption,
    json: { kind: 'flag', help: 'diagnostics as JSON, instead of the program' },
    checkOnly: { kind: 'flag', help: 'report errors, print nothing else' },
    quiet: { kind: 'flag', short: 'q', help: 'print nothing: only the exit code counts' },
  },
  notes: `FILE is C or preprocessed C, each on its own; - stands for the standard input. ${compilerNote}`,
  run: async ({ options, operands }, io) => parseFiles(operands, options, io),
});

async function parseFiles(files: readonly string[], options: ParseOptions, io: Io): Promise<ExitCode> {
  const overwritten = findOverwritten([options.output], files);
  if (overwritten !== null) return reportUsage(io, 'parse', overwritten);
  ensureWritable([options.output]);
  const limit = new TimeLimit(1000 * options.timeout);
  const texts: string[] = [];
  const reports: unknown[] = [];
  let code: ExitCode = exitCodes.ok;
  for (const file of files) {
    const outcome = await parseFile(file, options, limit, io);
    texts.push(outcome.text);
    pushAll(reports, outcome.diagnostics);
    code = Math.max(code, outcome.code) as ExitCode;
  }
  const text = options.json ? `${JSON.stringify(reports, null, 2)}\n` : texts.join('');
  if (options.output === undefined) {
    if (!options.quiet) io.out.write(text);
  } else if (options.json || code === exitCodes.ok) writeFile(options.output, text);
  return code;
}

interface ParsedFile {
  readonly code: ExitCode;
  readonly text: string;
  readonly diagnostics: readonly unknown[];
}

async function parseFile(file: string, options: ParseOptions, limit: TimeLimit, io: Io): Promise<ParsedFile> {
  const input = await readInput(file, options, io);
  if (input.kind === 'failed') return { code: input.code, text: '', diagnostics: [] };
  const source = {
    ...toSourceText(input, options, options),
    dataModel: options.dataModel === '32' ? 'ILP32' : 'LP64',
    reader: createFileReader(),
  } as const;
  const stages = limit.run(() => readProgram(source));
  const { diagnostics, sources, program } = stages;
  if (!options.json && !options.quiet) {
    io.err.write(printDiagnostics(diagnostics, sources, { colour: io.err.colours }));
  }
  const dumps = limit.run(() => dump(stages, file, options));
  const wantsProgram = options.dump.length === 0 && !options.json && !options.checkOnly;
  return {
    code: program === null ? exitCodes.program : exitCodes.ok,
    text: dumps + (program !== null && wantsProgram ? limit.run(() => printProgram(program)) : ''),
    diagnostics: options.json ? diagnosticsToJson(diagnostics, sources) : [],
  };
}

/** The stages that were asked for, as one text or as files; those that an error kept away are left out. */
function dump(stages: ReadResult, file: string, options: ParseOptions): string {
  const texts: string[] = [];
  for (const [at, name] of DUMPS.entries()) {
    if (!isDumped(name, options)) continue;
    const text = printStage(stages, name);
    if (text === null) continue;
    if (options.dumpDir === undefined) texts.push(text);
    else writeDump(options.dumpDir, `${path.basename(file)}.${String(at + 1).padStart(2, '0')}-${name}.txt`, text);
  }
  return texts.join('');
}

/** A folder without a list is for all of them. */
function isDumped(name: Dump, { dump, dumpDir }: ParseOptions): boolean {
  return dump.length === 0 ? dumpDir !== undefined : dump.includes(name);
}

function writeDump(directory: string, name: string, text: string): void {
  mkdirSync(directory, { recursive: true });
  writeFile(path.join(directory, name), text);
}

function printStage(stages: ReadResult, name: Dump): string | null {
  const { sources, tokens, units, program } = stages;
  switch (name) {
    case 'tokens':
      return printTokens(tokens, sources);
    case 'preprocessed':
      return printPreprocessed(tokens, sources);
    case 'ast':
      return units[0] ? printAst(units[0]) : null;
    case 'types':
      return program && printTypes(program);
  }
}

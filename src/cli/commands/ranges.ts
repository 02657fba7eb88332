// `lazuli ranges`: which values every variable can have in the bounded program, how many bits they need, and where the
// extremes come from. It is the value analysis that the engine encodes with, made visible.

import { UnsupportedError } from '../../execute/unsupported.ts';
import { readFiles } from '../../frontend/front-end.ts';
import { clockMs } from '../../host/clock.ts';
import { createFileReader } from '../../host/source-files.ts';
import { TimeLimit } from '../../host/time-limit.ts';
import { DEFAULT_LOWER_OPTIONS } from '../../lower/context.ts';
import { lowerProgram } from '../../lower/lower-program.ts';
import type { BoundOptions } from '../../program/bounds.ts';
import type { Code } from '../../program/code.ts';
import { isWeak, type MemoryModel } from '../../program/memory-model.ts';
import { explainNoAnswer, limitAnalysis } from '../../ranges/limit-analysis.ts';
import { findVariableRanges, type RangeAnalysis } from '../../ranges/variable-ranges.ts';
import { printRanges, rangesToJson } from '../../report/ranges.ts';
import { DiagnosticSink } from '../../support/diagnostics.ts';
import { printDiagnostics } from '../../support/print-diagnostics.ts';
import { findUnknownBound } from '../../verify/find-unknown-bound.ts';
import { boundOptions, describeUnwinding, readBounds } from '../bound-options.ts';
import { checkOptions } from '../check-options.ts';
import { defineCommand, reportUsage } from '../define-command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { compilerNote, frontEndOptions, timeoutOption } from '../front-end-options.ts';
import type { Io } from '../io.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import { readProgramInput } from '../program-input.ts';

const options = {
  ...boundOptions,
  all: { kind: 'flag', help: 'also what the models of library routines keep for themselves' },
  json: { kind: 'flag', help: 'as JSON' },
  memoryModel: checkOptions.memoryModel,
  timeout: timeoutOption,
  ...frontEndOptions,
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const run = defineCommand({
  name: 'ranges',
  summary: 'Shows which values each variable can have within the bounds, and in how many bits they fit.',
  operands: { name: 'FILE', min: 1, max: Number.POSITIVE_INFINITY, unless: 'compileCommands', compiled: true },
  options,
  notes: [
    'FILE is C or preprocessed C; - stands for the standard input. Several files are linked. The ranges hold for all interleavings, so that the',
    'options about rounds change nothing here, but only for as many iterations as loops are unwound; the last lines',
    'say whether any were cut off. "bits" are those that vary: a variable with one value needs none.',
    `docs/value-analysis.md tells how ranges are found. ${compilerNote}`,
  ].join(' '),
  run: async ({ options, operands, given }, io) => runRanges(operands, options, given.has('dataModel'), io),
});

async function runRanges(
  files: readonly string[],
  options: Options,
  isDataModelGiven: boolean,
  io: Io,
): Promise<ExitCode> {
  const bounds = readBounds(options);
  if (bounds.kind === 'problem') return reportUsage(io, 'ranges', bounds.message);
  if (options.atomicStatements && isWeak(options.memoryModel as MemoryModel))
    return reportUsage(io, 'ranges', '--atomic-statements does not go with --memory-model');
  const limit = new TimeLimit(1000 * options.timeout);
  const read = await readCode(files, options, isDataModelGiven, limit, io);
  if (read.kind === 'failed') return read.code;
  const names = [...read.code.loops, ...read.code.functions].map(({ name }) => name);
  const unknown = findUnknownBound(bounds.options.unwindset.keys(), names);
  if (unknown !== null) return reportUsage(io, 'ranges', unknown);
  const analysis = analyse(read.code, bounds.options, options.memoryModel as MemoryModel, limit, io);
  if (analysis === null) return exitCodes.unknown;
  const unwinding = describeUnwinding(bounds.options);
  if (options.json) io.out.write(`${JSON.stringify(rangesToJson(analysis, options.all, unwinding), null, 2)}\n`);
  else {
    const { colours, columns } = io.out;
    io.out.write(printRanges(analysis, { colours, columns, all: options.all, unwinding }));
  }
  return exitCodes.ok;
}

/** Null when there is no answer; the reason has been told. */
function analyse(
  code: Code,
  bounds: BoundOptions,
  memoryModel: MemoryModel,
  limit: TimeLimit,
  io: Io,
): RangeAnalysis | null {
  const limits = limitAnalysis(limit.leftMs(), clockMs);
  const { checks } = DEFAULT_LOWER_OPTIONS;
  try {
    return limit.run(() => findVariableRanges(code, { bounds, limits, checks, memoryModel }));
  } catch (fault) {
    const reason = explainNoAnswer(fault);
    if (reason === null) throw fault;
    const place = fault instanceof UnsupportedError ? code.sources.place(fault.loc) : null;
    const where = place ? `${place.file}:${place.line}:${place.column}: ` : '';
    io.err.write(`lazuli: ${where}no answer: ${reason}\n`);
    return null;
  }
}

type ReadCode =
  | { readonly kind: 'code'; readonly code: Code }
  /** Reported already. */
  | { readonly kind: 'failed'; readonly code: ExitCode };

async function readCode(
  files: readonly string[],
  options: Options,
  isDataModelGiven: boolean,
  limit: TimeLimit,
  io: Io,
): Promise<ReadCode> {
  const input = await readProgramInput(files, options, isDataModelGiven, io);
  if (input.kind === 'failed') return input;
  const { atomicStatements } = options;
  const settings = { ...input.options, reader: createFileReader(), models: true };
  const read = limit.run(() => readFiles(input.files, settings));
  const sink = new DiagnosticSink();
  const { program } = read;
  const lower = { ...DEFAULT_LOWER_OPTIONS, atomicStatements };
  const code = program && limit.run(() => lowerProgram(program, lower, sink));
  const print = { colour: io.err.colours };
  io.err.write(printDiagnostics([...read.diagnostics, ...sink.all], read.sources, print));
  return code === null ? { kind: 'failed', code: exitCodes.program } : { kind: 'code', code };
}

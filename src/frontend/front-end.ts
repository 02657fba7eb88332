/**
 * The front end as one function: texts in, typed program and diagnostics out. Pure: other files come through the reader
 * that is handed in. Several files are translation units of one program, which the linker makes of them. The program is
 * null after any error, for then nothing that follows may rely on it.
 */

import type { DataModel } from '../program/data-model.ts';
import type { Program } from '../program/tree.ts';
import { type Diagnostic, DiagnosticSink, TooManyErrors } from '../support/diagnostics.ts';
import { NOWHERE, SourceMap } from '../support/source.ts';
import { appendModels, type UnitWithoutModels } from './append-models.ts';
import { bundledHeaders } from './headers/bundled.ts';
import type { Token } from './lex/token.ts';
import { linkUnits } from './link/link-units.ts';
import type { TranslationUnit } from './parse/ast.ts';
import { parse } from './parse/parse.ts';
import type { PreprocessOptions, SourceReader } from './preprocess/options.ts';
import { preprocess } from './preprocess/preprocess.ts';
import { type CheckedUnit, checkTypes } from './types/check-types.ts';

/** One file, and how it is to be read. */
export interface SourceText {
  /** As diagnostics show it. */
  readonly fileName: string;
  readonly text: string;
  readonly includePaths?: readonly string[];
  readonly quotePaths?: readonly string[];
  readonly systemPaths?: readonly string[];
  readonly forcedIncludes?: readonly string[];
  readonly defines?: readonly string[];
  readonly undefines?: readonly string[];
  readonly trigraphs?: boolean;
  /** `inline` means what it means in GNU C before C99. */
  readonly gnuInline?: boolean;
}

/** What holds for all files of a program. */
export interface ProgramOptions {
  readonly dataModel: DataModel;
  /** Where included files come from; without it, only the bundled headers can be included. */
  readonly reader?: SourceReader;
  /** Append the bundled models of the library functions that the program uses. */
  readonly models?: boolean;
}

export type ReadOptions = SourceText & ProgramOptions;

export interface ReadResult {
  /** null if there was an error. */
  readonly program: Program | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: SourceMap;
  /** Of all files, in their order, without those of models. */
  readonly tokens: readonly Token[];
  /** The syntax trees, as far as the run came. */
  readonly units: readonly TranslationUnit[];
}

/** Reads a program of one file. */
export function readProgram(options: ReadOptions): ReadResult {
  return readFiles([options], options);
}

/** Reads the files of a program, and links them. */
export function readFiles(files: readonly SourceText[], options: ProgramOptions): ReadResult {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  const tokens: Token[] = [];
  const units: TranslationUnit[] = [];
  let program: Program | null = null;
  try {
    const parsed = files.map((file) => {
      const preprocessing = { ...options, ...file, sources, sink, bundledHeaders };
      const unit = parseFile(preprocessing, sink);
      for (const token of unit.tokens) tokens.push(token);
      units.push(unit.unit);
      return unit;
    });
    if (options.models && !sink.hasErrors) replaceWithModels(parsed, units, sink);
    program = checkAndLink(files, units, { sources, sink, dataModel: options.dataModel });
  } catch (fault) {
    if (!(fault instanceof TooManyErrors)) reportExhaustion(sink, fault);
  }
  return { program: sink.hasErrors ? null : program, diagnostics: sink.all, sources, tokens, units };
}

function parseFile(options: PreprocessOptions, sink: DiagnosticSink): UnitWithoutModels {
  const tokens = preprocess(options);
  return { tokens, unit: parse(tokens, sink), options };
}

function replaceWithModels(parsed: readonly UnitWithoutModels[], units: TranslationUnit[], sink: DiagnosticSink): void {
  appendModels(parsed).forEach((tokens, i) => {
    if (tokens !== null) units[i] = parse(tokens, sink);
  });
}

function checkAndLink(
  files: readonly SourceText[],
  units: readonly TranslationUnit[],
  options: { sources: SourceMap; sink: DiagnosticSink; dataModel: DataModel },
): Program | null {
  const checked: CheckedUnit[] = [];
  units.forEach((unit, i) => {
    const { fileName = '', gnuInline = false } = files[i] ?? {};
    const firstId = checked.at(-1)?.nextId ?? 1;
    checked.push(checkTypes(unit, fileName, { ...options, gnuInline, firstId }));
  });
  return options.sink.hasErrors ? null : linkUnits(checked, options);
}

/**
 * Input nested so deeply that the stack overflows is the user's to change; any other fault is ours and is thrown on.
 */
function reportExhaustion(sink: DiagnosticSink, fault: unknown): void {
  if (!(fault instanceof RangeError) || !/call stack/i.test(fault.message)) throw fault;
  sink.error(NOWHERE, 'too-deep', 'the program is nested too deeply to be read');
}

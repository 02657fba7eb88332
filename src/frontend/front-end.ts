/**
 * The front end as one function: texts in, typed program and diagnostics out. Pure: other files come through the reader
 * that is handed in. Several files are translation units of one program, which the linker makes of them. The program is
 * null after any error, for then nothing that follows may rely on it.
 */

import type { DataModel } from '../program/data-model.ts';
import type { Program } from '../program/tree.ts';
import { type Diagnostic, DiagnosticSink, TooManyErrors } from '../support/diagnostics.ts';
import { NOWHERE, SourceMap } from '../support/source.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { findModels, type UnitWithoutModels } from './find-models.ts';
import { bundledHeaders } from './headers/bundled.ts';
import type { Token } from './lex/token.ts';
import { chooseUnits, type ProjectUnit } from './link/choose-units.ts';
import { reportMissing } from './link/find-missing.ts';
import { linkUnits } from './link/link-units.ts';
import type { TranslationUnit } from './parse/ast.ts';
import { keepCleanupHandlers } from './parse/keep-cleanup-handlers.ts';
import { parse } from './parse/parse.ts';
import { NameKinds } from './parse/scope.ts';
import type { PreprocessOptions, SourceReader } from './preprocess/options.ts';
import { preprocess } from './preprocess/preprocess.ts';
import { isGnuInline } from './preprocess/standard.ts';
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
  readonly macroFiles?: readonly string[];
  readonly defines?: readonly string[];
  readonly undefines?: readonly string[];
  readonly trigraphs?: boolean;
  /** `gnu11`, `c99`, …: as for `-std`. */
  readonly standard?: string;
  /** `inline` means what it means in GNU C before C99, whatever the standard. */
  readonly gnuInline?: boolean;
}

/** What holds for all files of a program. */
export interface ProgramOptions {
  readonly dataModel: DataModel;
  /** Where included files come from; without it, only the bundled headers can be included. */
  readonly reader?: SourceReader;
  /** Append the bundled models of the library functions that the program uses. */
  readonly models?: boolean;
  /** The function to start at instead of main, with any arguments. */
  readonly start?: string | null;
  /**
   * The files are those of a project, of which the program takes what it needs, from the file that defines main on;
   * `main` names that file where there are several.
   */
  readonly project?: { readonly main: string | null } | null;
  /** False: what other files should define is an error (link/find-missing.ts). */
  readonly allowUndefined?: boolean;
  /** More macros for the models alone, by what the program says. */
  readonly modelDefines?: (tokens: readonly Token[]) => readonly string[];
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
  let parsed: readonly ProjectUnit[] = [];
  const units: TranslationUnit[] = [];
  let program: Program | null = null;
  try {
    parsed = files.map((file) => parseFile({ ...options, ...file, sources, bundledHeaders }));
    if (options.project) parsed = chooseFrom(parsed, options, sink);
    for (const { diagnostics, unit } of parsed) {
      sink.take(diagnostics);
      units.push(unit);
    }
    if (options.models && !sink.hasErrors) parseModels(parsed, units, options, sink);
    program = checkAndLink(parsed, units, sources, sink, options);
    if (program && options.allowUndefined === false) {
      const names = parsed.map((unit) => unit.options.fileName);
      reportMissing(program, { sink, files: names, start: options.start ?? 'main', reader: options.reader });
    }
  } catch (fault) {
    if (!(fault instanceof TooManyErrors)) reportExhaustion(sink, fault);
  }
  const tokens = parsed.flatMap((unit) => unit.tokens);
  return { program: sink.hasErrors ? null : program, diagnostics: sink.all, sources, tokens, units };
}

function parseFile(options: Omit<PreprocessOptions, 'sink'>): ProjectUnit {
  const sink = new DiagnosticSink();
  const preprocessing = { ...options, sink };
  const scope = new NameKinds();
  let tokens: readonly Token[] = [];
  let unit: TranslationUnit = { declarations: [] };
  try {
    tokens = keepCleanupHandlers(preprocess(preprocessing));
    unit = parse(tokens, sink, scope);
  } catch (fault) {
    if (!(fault instanceof TooManyErrors)) reportExhaustion(sink, fault);
  }
  return { tokens, unit, scope, options: preprocessing, diagnostics: sink.all };
}

/** The files of a project that the program needs. What has errors and may be needed is told. */
function chooseFrom(
  units: readonly ProjectUnit[],
  { start, project }: ProgramOptions,
  sink: DiagnosticSink,
): readonly ProjectUnit[] {
  const choice = chooseUnits(units, start ?? 'main', project?.main ?? null);
  if (choice.kind === 'problem') {
    sink.error(NOWHERE, 'link', choice.message);
    return [];
  }
  for (const { options, diagnostics } of choice.broken) {
    const error = diagnostics.find(({ severity }) => severity === 'error');
    const message = `'${options.fileName}' has errors and was left out: ${error?.message ?? ''}`;
    sink.warning(error?.loc ?? NOWHERE, 'link', message);
  }
  return choice.units;
}

/** Models are parsed where the program ended, with its types in scope. */
function parseModels(
  parsed: readonly UnitWithoutModels[],
  units: TranslationUnit[],
  { modelDefines }: ProgramOptions,
  sink: DiagnosticSink,
): void {
  const more = modelDefines?.(parsed.flatMap(({ tokens }) => tokens)) ?? [];
  const told = parsed.map((unit) => ({
    ...unit,
    options: { ...unit.options, defines: [...(unit.options.defines ?? []), ...more], sink },
  }));
  findModels(told).forEach((models, i) => {
    const { unit, scope } = parsed[i] as UnitWithoutModels;
    if (models === null) return;
    units[i] = { ...unit, declarations: [...unit.declarations, ...parse(models, sink, scope).declarations] };
  });
}

function checkAndLink(
  parsed: readonly UnitWithoutModels[],
  units: readonly TranslationUnit[],
  sources: SourceMap,
  sink: DiagnosticSink,
  { dataModel, start }: ProgramOptions,
): Program | null {
  const checked: CheckedUnit[] = [];
  units.forEach((unit, i) => {
    const { fileName = '', ...options } = parsed[i]?.options ?? {};
    const firstId = checked.at(-1)?.nextId ?? 1;
    const gnuInline = isGnuInline(options);
    checked.push(checkTypes(unit, fileName, { sources, sink, dataModel, gnuInline, firstId }));
  });
  return sink.hasErrors ? null : linkUnits(checked, { sources, sink, dataModel, start: start ?? null });
}

/**
 * Input nested so deeply that the stack overflows is the user's to change; any other fault is ours and is thrown on.
 */
function reportExhaustion(sink: DiagnosticSink, fault: unknown): void {
  if (!isStackOverflow(fault)) throw fault;
  sink.error(NOWHERE, 'too-deep', 'the program is nested too deeply to be read');
}

/**
 * The front end as one function: text in, typed program and diagnostics out. Pure: other files come through the reader
 * that is handed in. The program is null after any error, for then nothing that follows may rely on it.
 */

import type { DataModel } from '../program/data-model.ts';
import type { Program } from '../program/tree.ts';
import { type Diagnostic, DiagnosticSink, TooManyErrors } from '../support/diagnostics.ts';
import { NOWHERE, SourceMap } from '../support/source.ts';
import { appendModels } from './append-models.ts';
import { bundledHeaders } from './headers/bundled.ts';
import type { Token } from './lex/token.ts';
import type { TranslationUnit } from './parse/ast.ts';
import { parse } from './parse/parse.ts';
import type { SourceReader } from './preprocess/options.ts';
import { preprocess } from './preprocess/preprocess.ts';
import { checkTypes } from './types/check-types.ts';

export interface ReadOptions {
  /** The name of the main file, as diagnostics show it. */
  readonly fileName: string;
  readonly text: string;
  readonly dataModel: DataModel;
  /** Where included files come from; without it, only the bundled headers can be included. */
  readonly reader?: SourceReader;
  readonly includePaths?: readonly string[];
  readonly defines?: readonly string[];
  readonly undefines?: readonly string[];
  readonly trigraphs?: boolean;
  /** Append the bundled models of the library functions that the program uses. */
  readonly models?: boolean;
}

export interface ReadResult {
  /** null if there was an error. */
  readonly program: Program | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: SourceMap;
  readonly tokens: readonly Token[];
  /** null if the run ended before parsing did. */
  readonly unit: TranslationUnit | null;
}

export function readProgram(options: ReadOptions): ReadResult {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  const stages: { tokens: readonly Token[]; unit: TranslationUnit | null; program: Program | null } = {
    tokens: [],
    unit: null,
    program: null,
  };
  try {
    const preprocessing = { ...options, sources, sink, bundledHeaders };
    stages.tokens = preprocess(preprocessing);
    stages.unit = parse(stages.tokens, sink);
    const withModels =
      options.models && !sink.hasErrors ? appendModels(stages.tokens, stages.unit, preprocessing) : null;
    if (withModels) stages.unit = parse(withModels, sink);
    stages.program = checkTypes(stages.unit, { sources, sink, dataModel: options.dataModel });
  } catch (fault) {
    if (!(fault instanceof TooManyErrors)) reportExhaustion(sink, fault);
  }
  const { tokens, unit, program } = stages;
  return { program: sink.hasErrors ? null : program, diagnostics: sink.all, sources, tokens, unit };
}

/**
 * Input nested so deeply that the stack overflows is the user's to change; any other fault is ours and is thrown on.
 */
function reportExhaustion(sink: DiagnosticSink, fault: unknown): void {
  if (!(fault instanceof RangeError) || !/call stack/i.test(fault.message)) throw fault;
  sink.error(NOWHERE, 'too-deep', 'the program is nested too deeply to be read');
}

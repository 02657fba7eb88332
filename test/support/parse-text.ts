/** C text to syntax tree and diagnostics in one call, for tests: preprocessor and parser as the front end runs them. */

import type { TranslationUnit } from '../../src/frontend/parse/ast.ts';
import { parse } from '../../src/frontend/parse/parse.ts';
import { preprocess } from '../../src/frontend/preprocess/preprocess.ts';
import { type Diagnostic, DiagnosticSink, TooManyErrors } from '../../src/support/diagnostics.ts';
import { SourceMap } from '../../src/support/source.ts';

export interface ParsedText {
  readonly unit: TranslationUnit;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: SourceMap;
}

export function parseText(text: string, fileName = 'test.c'): ParsedText {
  const sources = new SourceMap();
  const sink = new DiagnosticSink();
  let unit: TranslationUnit = { declarations: [] };
  try {
    unit = parse(preprocess({ sources, sink, fileName, text, dataModel: 'LP64' }), sink);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return { unit, diagnostics: sink.all, sources };
}

/** Each diagnostic as `line:column: severity: message`, its notes indented below it. */
export function describeDiagnostics({ diagnostics, sources }: ParsedText): string[] {
  const place = (loc: Diagnostic['loc']) => {
    const at = sources.place(loc);
    return at ? `${at.line}:${at.column}` : '-';
  };
  return diagnostics.flatMap(({ loc, severity, message, notes }) => [
    `${place(loc)}: ${severity}: ${message}`,
    ...notes.map((note) => `  ${place(note.loc)}: note: ${note.message}`),
  ]);
}

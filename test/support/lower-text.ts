/** C text to code in one call, for tests: the front end with the models, then lowering; the result is validated. */

import { readProgram } from '../../src/frontend/front-end.ts';
import { DEFAULT_LOWER_OPTIONS, type LowerOptions } from '../../src/lower/context.ts';
import { lowerProgram } from '../../src/lower/lower-program.ts';
import { modelDefines } from '../../src/program/check-names.ts';
import type { Code } from '../../src/program/code.ts';
import type { DataModel } from '../../src/program/data-model.ts';
import { validateCode } from '../../src/program/validate-code.ts';
import { type Diagnostic, DiagnosticSink } from '../../src/support/diagnostics.ts';

export interface LoweredText {
  /** null after errors. */
  readonly code: Code | null;
  /** Each as `line: severity: message`. */
  readonly messages: readonly string[];
}

export function tryLowerText(
  text: string,
  options: Partial<LowerOptions> = {},
  dataModel: DataModel = 'LP64',
): LoweredText {
  const read = readProgram({
    fileName: 'test.c',
    text,
    dataModel,
    defines: modelDefines(options.checks ?? []),
    models: true,
  });
  const describe = ({ loc, severity, message }: Diagnostic) =>
    `${read.sources.place(loc)?.line ?? '-'}: ${severity}: ${message}`;
  if (!read.program) return { code: null, messages: read.diagnostics.map(describe) };
  const sink = new DiagnosticSink();
  const code = lowerProgram(read.program, { ...DEFAULT_LOWER_OPTIONS, ...options }, sink);
  const faults = code ? validateCode(code) : [];
  if (faults.length > 0) throw new Error(`invalid code:\n${faults.join('\n')}`);
  return { code, messages: sink.all.map(describe) };
}

/** The code of a text that must lower. */
export function lowerText(text: string, options: Partial<LowerOptions> = {}, dataModel: DataModel = 'LP64'): Code {
  const { code, messages } = tryLowerText(text, options, dataModel);
  if (!code) throw new Error(`does not lower:\n${messages.join('\n')}`);
  return code;
}

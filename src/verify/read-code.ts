/** From C text to the code that engines work on: front end, models of the library, lowering. */

import { readFiles, type SourceText } from '../frontend/front-end.ts';
import type { SourceReader } from '../frontend/preprocess/options.ts';
import { lowerProgram } from '../lower/lower-program.ts';
import { type CheckName, modelDefines } from '../program/check-names.ts';
import type { Code, CodeObject } from '../program/code.ts';
import { isWeak } from '../program/memory-model.ts';
import { nameOfObject } from '../program/string-text.ts';
import { type Diagnostic, DiagnosticSink } from '../support/diagnostics.ts';
import type { SourceMap } from '../support/source.ts';
import { findUnknownBound } from './find-unknown-bound.ts';
import { type Source, UsageError, type VerifySettings } from './settings.ts';
import { usualChecks } from './usual-checks.ts';

export interface ReadCodeHost {
  /** Where included files come from; without it, only the bundled headers can be included. */
  readonly reader?: SourceReader | undefined;
  /** Is told what is wrong with the program, as it comes. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[], sources: SourceMap) => void;
}

export interface ReadProgram {
  readonly kind: 'code';
  readonly code: Code;
  readonly checks: ReadonlySet<CheckName>;
}

export type ReadCode =
  | ReadProgram
  /** Diagnostics tell more. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Throws a UsageError when the settings name what the program does not have. */
export function readCode(source: Source, settings: VerifySettings, host: ReadCodeHost): ReadCode {
  const { dataModel, start, allowUndefined, atomicStatements } = settings;
  const read = readFiles(
    source.files.map((file) => withSettings(file, settings)),
    {
      dataModel,
      start,
      allowUndefined,
      project: source.project ?? null,
      ...(host.reader && { reader: host.reader }),
      models: true,
      modelDefines: (tokens) => modelDefines(settings.checks ?? usualChecks(tokens), settings.memoryModel),
    },
  );
  host.onDiagnostics?.(read.diagnostics, read.sources);
  if (!read.program) return { kind: 'refused', reason: reasonForNone(read.diagnostics) };
  const checks = new Set<CheckName>(settings.checks ?? usualChecks(read.tokens));
  const misuse = findModelMisuse(settings, checks);
  if (misuse !== null) throw new UsageError(misuse);
  // Nothing goes on after an index outside of its array: where that is no violation, the path ends there.
  const lowered = new Set<CheckName>([...checks, 'bounds']);
  const sink = new DiagnosticSink();
  const lower = lowerProgram(read.program, { checks: lowered, atomicStatements, errorLabels: true }, sink);
  host.onDiagnostics?.(sink.all, read.sources);
  if (!lower) return { kind: 'refused', reason: reasonFor(sink.all) };
  const code = allowRaces(lower, settings.allowedRaces);
  const names = [...code.loops, ...code.functions].map(({ name }) => name);
  const unknown = findUnknownBound(settings.unwindset.keys(), names);
  if (unknown !== null) throw new UsageError(unknown);
  return { kind: 'code', code, checks };
}

/** Marks the variables whose races are accepted. */
function allowRaces(code: Code, names: readonly string[]): Code {
  if (names.length === 0) return code;
  const isNamed = (object: CodeObject) => !object.isModel && names.includes(nameOfObject(object));
  const missing = names.find((name) => !code.objects.some((each) => isNamed(each) && nameOfObject(each) === name));
  if (missing !== undefined) throw new UsageError(`--allow-race: the program has no variable '${missing}' in memory`);
  return { ...code, objects: code.objects.map((each) => (isNamed(each) ? { ...each, mayRace: true } : each)) };
}

/** What is only known for sequential consistency. */
function findModelMisuse(
  { memoryModel, atomicStatements }: VerifySettings,
  checks: ReadonlySet<CheckName>,
): string | null {
  if (atomicStatements && checks.has('race'))
    return 'the check race does not go with atomic statements: there, no two statements race';
  if (!isWeak(memoryModel)) return null;
  if (atomicStatements) return `atomic statements do not go with the memory model ${memoryModel}`;
  const unknown = (['race', 'lost'] as const).find((check) => checks.has(check));
  return unknown ? `the check ${unknown} does not go with the memory model ${memoryModel}` : null;
}

function withSettings(file: SourceText, { includePaths, defines, undefines }: VerifySettings): SourceText {
  return {
    ...file,
    includePaths: [...(file.includePaths ?? []), ...includePaths],
    defines: [...(file.defines ?? []), ...defines],
    undefines: [...(file.undefines ?? []), ...undefines],
  };
}

function reasonForNone(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const missing = errors.filter(({ code }) => code === 'missing');
  if (missing.length === 0 || missing.length < errors.length) return 'the program has errors';
  const [first, ...more] = missing.map(({ message }) => message);
  const others = more.length === 0 ? '' : ` (nor are ${more.length} others)`;
  return `${first}${others}; name the other files as well, or take all that with --allow-undefined as inputs`;
}

function reasonFor(diagnostics: readonly Diagnostic[]): string {
  const hasMain = diagnostics.every(({ code }) => code !== 'no-main');
  return hasMain ? 'the program uses what is not supported' : 'the program has no main';
}

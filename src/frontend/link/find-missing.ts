/**
 * What a program uses and other files should define: to verify it without them is to verify an invented program. Many
 * programs leave functions undefined on purpose, as inputs (`extern int sensor(void);`); so a function or variable is
 * missing only if
 *
 * - a header of the program's own declares it, for headers tell what other files define; or
 * - a C file beside those of the program seems to define it.
 *
 * Nothing of the C library ever is, nor what verifiers know by name, nor what has `nondet` in its name. Preprocessed
 * files (`.i`) are taken as complete: somebody made a task of them, and their headers are those of another machine.
 */

import type { Expression, FunctionSymbol, Program, VariableSymbol } from '../../program/tree.ts';
import { verifierMeaning } from '../../program/verifier-names.ts';
import { walkInitializer, walkStatement } from '../../program/visit-tree.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import { isModelPlace, type Loc, type SourceMap } from '../../support/source.ts';
import type { SourceReader } from '../preprocess/options.ts';

/** What is said of a symbol that is used, defined nowhere, and not of the library. */
interface Undefined {
  readonly symbol: FunctionSymbol | VariableSymbol;
  /** The first use. */
  readonly loc: Loc;
  /** The header of the program that declares it, or null. */
  readonly header: string | null;
}

export interface MissingOptions {
  readonly sink: DiagnosticSink;
  /** Those of the program. */
  readonly files: readonly string[];
  /** Where the program starts: no other file of it defines this. */
  readonly start: string;
  readonly reader: SourceReader | undefined;
}

/** An error for each definition that is missing. */
export function reportMissing(program: Program, { sink, files, start, reader }: MissingOptions): void {
  if (files.every((file) => /\.i$/i.test(file))) return;
  const used = findUndefined(program);
  if (used.length === 0) return;
  const names = used.map(({ symbol }) => symbol.name);
  const headers = [...new Set(used.flatMap(({ header }) => header ?? []))];
  const definers = reader?.findDefinitions?.({ names, files, headers, start });
  for (const { symbol, loc, header } of used) {
    const found = definers?.get(symbol.name) ?? [];
    if (header === null && found.length === 0) continue;
    const perhaps = found.length === 0 ? '' : `, perhaps in ${found.join(', ')}`;
    sink.error(loc, 'missing', `'${symbol.name}' is defined in none of the files${perhaps}`, [
      { loc: symbol.loc, message: `'${symbol.name}' is declared here` },
    ]);
  }
}

/** In what main can reach, in the order of the first uses. */
function findUndefined({ items, sources }: Program): Undefined[] {
  const found = new Map<string, Undefined>();
  const bodies = new Map(
    items.flatMap((item) => (item.kind === 'function' ? [[item.definition.symbol, item.definition] as const] : [])),
  );
  const main = [...bodies.keys()].filter(({ name }) => name === 'main');
  const reached = new Set<FunctionSymbol | VariableSymbol>(main);
  const expression = (node: Expression) => {
    if (node.kind !== 'function' && node.kind !== 'variable') return;
    const { symbol, loc } = node;
    if (reached.has(symbol)) return;
    reached.add(symbol);
    if (!found.has(symbol.name) && isUndefined(symbol, bodies) && isOfProgram(symbol, sources))
      found.set(symbol.name, { symbol, loc, header: headerOf(symbol.loc, sources) });
  };
  for (const symbol of reached) {
    if (symbol.kind === 'variable-symbol') {
      const isInside = symbol.duration === 'automatic';
      if (symbol.initializer && !isInside) walkInitializer(symbol.initializer, { expression });
      continue;
    }
    const definition = bodies.get(symbol);
    if (definition && !isModelPlace(sources, definition.loc)) walkStatement(definition.body, { expression });
  }
  return [...found.values()];
}

function isUndefined(symbol: FunctionSymbol | VariableSymbol, bodies: ReadonlyMap<FunctionSymbol, unknown>): boolean {
  if (symbol.kind === 'function-symbol') return !bodies.has(symbol);
  return symbol.duration !== 'automatic' && !symbol.defined;
}

/** Names that tools give a meaning. */
const KNOWN_NAMES = /^__(VERIFIER|CPROVER|ESBMC|SMACK|lazuli|builtin|sync|atomic|c11)_|nondet/i;

function isOfProgram({ name, loc }: FunctionSymbol | VariableSymbol, sources: SourceMap): boolean {
  if (KNOWN_NAMES.test(name) || verifierMeaning(name) !== null) return false;
  return !(sources.place(loc)?.inSystemHeader ?? false);
}

/** By its name: tools that write C drop the mark of system headers. */
function headerOf(loc: Loc, sources: SourceMap): string | null {
  const file = sources.place(loc)?.file;
  return file !== undefined && /\.h$/i.test(file) && !/^(\/usr\/|<)/.test(file) ? file : null;
}

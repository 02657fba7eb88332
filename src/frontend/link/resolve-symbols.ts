/**
 * Which symbols of several translation units are one, as a linker decides it: by name, for everything with external
 * linkage. An ordinary definition comes before a weak one, that before an `inline` definition (C 6.7.4, or GNU `extern
 * inline`), which other files need not see. Tentative definitions of one object are one object. Two ordinary
 * definitions, and declarations whose types differ, are errors with both places.
 *
 * The models of library functions come with every unit that uses them: of these any is as good as the others, also of
 * what they keep `static`.
 */

import type { FunctionSymbol, VariableSymbol } from '../../program/tree.ts';
import { compositeType } from '../../program/type-operations.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import { isModelPlace, type Loc, type SourceMap } from '../../support/source.ts';
import type { CheckedUnit } from '../types/check-types.ts';
import { show } from '../types/checker.ts';
import { haveSameLayout } from '../types/functions.ts';
import type { UnifiedTypes } from './unify-types.ts';

export type LinkedSymbol = VariableSymbol | FunctionSymbol;

export interface Resolution {
  /** The symbol that stands for each that another stands for. */
  readonly symbols: Map<LinkedSymbol, LinkedSymbol>;
  /** By name, what has external linkage in the program; models with what they keep to themselves. */
  readonly external: Map<string, LinkedSymbol>;
  /** Weak symbols that no unit defines. */
  readonly absent: Set<LinkedSymbol>;
}

export interface LinkContext {
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  readonly types: UnifiedTypes;
}

/** How strong a definition is; of several ordinary ones the linker complains. */
const STRENGTH = { none: 0, model: 1, inline: 2, weak: 3, tentative: 4, ordinary: 5 } as const;
type Strength = keyof typeof STRENGTH;

/** Functions that verifiers define. */
const VERIFIER_WORD = /^(__VERIFIER_|__CPROVER_|__ESBMC_|__lazuli_|nondet_)|^reach_error$/;

interface Definition {
  readonly symbol: LinkedSymbol;
  readonly strength: Strength;
  readonly isWeak: boolean;
  readonly isModel: boolean;
}

export function resolveSymbols(units: readonly CheckedUnit[], context: LinkContext): Resolution {
  const groups = new Map<string, Definition[]>();
  for (const unit of units) {
    for (const symbol of unit.external.values()) {
      const candidate = describe(symbol, unit, context.sources);
      if (symbol.linkage !== 'external' && !candidate.isModel) continue;
      const group = groups.get(symbol.name);
      if (group === undefined) groups.set(symbol.name, [candidate]);
      else group.push(candidate);
    }
  }
  const resolution: Resolution = { symbols: new Map(), external: new Map(), absent: new Set() };
  for (const [name, group] of groups) {
    const chosen = choose(group);
    resolution.external.set(name, chosen.symbol);
    for (const candidate of group) {
      if (candidate === chosen) continue;
      merge(chosen, candidate, context);
      resolution.symbols.set(candidate.symbol, chosen.symbol);
    }
    const isAbsent = chosen.strength === 'none' && group.every(({ isWeak }) => isWeak) && !VERIFIER_WORD.test(name);
    if (isAbsent) resolution.absent.add(chosen.symbol);
  }
  return resolution;
}

function describe(symbol: LinkedSymbol, unit: CheckedUnit, sources: SourceMap): Definition {
  const isWeak = unit.weak.has(symbol);
  const loc = symbol.kind === 'function-symbol' ? (symbol.definition?.loc ?? symbol.loc) : symbol.loc;
  const isModel = isDefined(symbol) && isModelPlace(sources, loc);
  return { symbol, isWeak, isModel, strength: strengthOf(symbol, unit, isWeak, isModel) };
}

function isDefined(symbol: LinkedSymbol): boolean {
  return symbol.kind === 'function-symbol' ? symbol.definition !== null : symbol.defined;
}

function strengthOf(symbol: LinkedSymbol, unit: CheckedUnit, isWeak: boolean, isModel: boolean): Strength {
  if (!isDefined(symbol)) return unit.aliases.has(symbol) ? (isWeak ? 'weak' : 'ordinary') : 'none';
  if (isModel) return 'model';
  if (isWeak) return 'weak';
  if (symbol.kind === 'variable-symbol') return symbol.initializer === null ? 'tentative' : 'ordinary';
  return unit.inlineOnly.has(symbol) ? 'inline' : 'ordinary';
}

function choose(group: readonly Definition[]): Definition {
  return group.reduce((best, next) => (STRENGTH[next.strength] > STRENGTH[best.strength] ? next : best));
}

/** Takes into the chosen symbol what the other unit knows of it, and reports what does not go together. */
function merge(chosen: Definition, other: Definition, context: LinkContext): void {
  const { sink } = context;
  const [a, b] = [chosen.symbol, other.symbol];
  const note = { loc: placeOf(a), message: isDefined(a) ? 'defined here' : 'declared here' };
  if (a.kind === 'variable-symbol' && b.kind === 'variable-symbol') {
    if (a.duration !== b.duration) {
      sink.error(b.loc, 'link', `'${a.name}' is thread-local in one file and not in another`, [note]);
    }
    a.alignment = a.alignment === null && b.alignment === null ? null : Math.max(a.alignment ?? 1, b.alignment ?? 1);
    a.addressTaken ||= b.addressTaken;
  } else if (a.kind === 'function-symbol' && b.kind === 'function-symbol') {
    a.isNoreturn ||= b.isNoreturn;
  } else {
    sink.error(placeOf(b), 'link', `'${a.name}' is a function in one file and a variable in another`, [note]);
    return;
  }
  reportDuplicates(chosen, other, context);
  mergeTypes(chosen, other, context);
}

function reportDuplicates(chosen: Definition, other: Definition, { sink }: LinkContext): void {
  const { name } = chosen.symbol;
  const [first, second] = [placeOf(chosen.symbol), placeOf(other.symbol)];
  if (chosen.strength === 'ordinary' && other.strength === 'ordinary') {
    sink.error(second, 'link', `multiple definition of '${name}'`, [{ loc: first, message: 'first defined here' }]);
  } else if (other.strength === 'tentative') {
    const message = `'${name}' is defined in several files: they are one object, as with -fcommon`;
    sink.warning(second, 'link', message, [{ loc: first, message: 'also defined here' }]);
  }
}

function mergeTypes(chosen: Definition, other: Definition, { types, sink }: LinkContext): void {
  const [a, b] = [chosen.symbol, other.symbol];
  const agreement = types.compare(a.type, b.type);
  if (agreement === 'same') {
    a.type = compositeType(a.type, b.type);
    return;
  }
  // Models fit every declaration that their own unit accepts.
  if ((chosen.isModel || other.isModel) && haveSameLayout(a.type, b.type)) return;
  const notes = [{ loc: a.loc, message: `declared as ${show(a.type)} here` }];
  if (agreement === 'pointers') {
    const message = `'${a.name}' has another type in another file; this one is ${show(b.type)}`;
    sink.warning(b.loc, 'link', message, notes);
  } else {
    sink.error(b.loc, 'link', `conflicting types for '${a.name}' in two files: ${show(b.type)}`, notes);
  }
}

function placeOf(symbol: LinkedSymbol): Loc {
  return symbol.kind === 'function-symbol' ? (symbol.definition?.loc ?? symbol.loc) : symbol.loc;
}

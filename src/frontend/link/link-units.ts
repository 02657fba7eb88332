/**
 * The linker: several type-checked translation units become one program, as if it had been written in one file. Types
 * that the units share become one (unify-types.ts), so do symbols with external linkage (resolve-symbols.ts), and the
 * trees are rewritten accordingly (rewrite-trees.ts). Symbols of one file only keep apart: where others have the same
 * name they bear their file's name as well, `count__queue` for the `count` of queue.c, so that everything downstream
 * can tell things apart by name. What follows main and comes before it is settled here, as it concerns all units.
 *
 * A single unit is a program already; only its weak symbols may want rewriting.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { Program, TopLevelItem } from '../../program/tree.ts';
import { sameType } from '../../program/type-operations.ts';
import type { EnumDeclaration, Type } from '../../program/types.ts';
import type { DiagnosticSink } from '../../support/diagnostics.ts';
import type { Loc, SourceMap } from '../../support/source.ts';
import type { CheckedUnit } from '../types/check-types.ts';
import { defineUninterpreted } from './define-uninterpreted.ts';
import { nameUnits } from './name-units.ts';
import { resolveAliases } from './resolve-aliases.ts';
import { type LinkedSymbol, type Resolution, resolveSymbols } from './resolve-symbols.ts';
import { TreeRewriter } from './rewrite-trees.ts';
import { setMainAside, startAt } from './start-at.ts';
import { surroundMain } from './surround-main.ts';
import { UnifiedTypes } from './unify-types.ts';

export interface LinkOptions {
  readonly sources: SourceMap;
  readonly sink: DiagnosticSink;
  readonly dataModel: DataModel;
  /** The function to start at; null for main. */
  readonly start: string | null;
}

/** Links units that were checked in this order, with numbers that go on from one to the next; null after an error. */
export function linkUnits(units: readonly CheckedUnit[], options: LinkOptions): Program | null {
  const { sources, sink, dataModel } = options;
  const types = new UnifiedTypes(units);
  const resolution = resolveSymbols(units, { sources, sink, types });
  if (sink.hasErrors) return null;
  const start = options.start === 'main' ? null : options.start;
  if (start !== null) setMainAside(resolution);
  if (units.length > 1) tellApart(units, resolution, types);
  resolveAliases(units, resolution, sink);
  if (sink.hasErrors) return null;
  const rewriter = new TreeRewriter({ ...resolution, types, onAbsent: warnOnce(sink) });
  const hasAliases = units.some(({ aliases }) => aliases.size > 0);
  const needsRewriting = units.length > 1 || start !== null || resolution.absent.size > 0 || hasAliases;
  const items = needsRewriting ? linkItems(units, rewriter) : [...(units[0]?.items ?? [])];
  const prioritiesOf = (which: 'constructors' | 'destructors') =>
    new Map(units.flatMap((unit) => [...unit[which]].map(([symbol, at]) => [rewriter.function(symbol), at] as const)));
  const context = {
    sink,
    items,
    external: resolution.external,
    constructors: prioritiesOf('constructors'),
    destructors: prioritiesOf('destructors'),
    nextId: units.at(-1)?.nextId ?? 1,
  };
  if (start !== null) startAt(start, context);
  defineUninterpreted(context);
  surroundMain(context);
  return { dataModel, sources, items };
}

function warnOnce(sink: DiagnosticSink): (symbol: LinkedSymbol, loc: Loc) => void {
  const warned = new Set<LinkedSymbol>();
  return (symbol, loc) => {
    if (warned.has(symbol)) return;
    warned.add(symbol);
    sink.warning(loc, 'link', `weak '${symbol.name}' is defined nowhere: its address is 0`);
  };
}

// ---------------------------------------------------------------- names

/** Gives symbols and enumerators of single units a name of their own where another unit uses theirs otherwise. */
function tellApart(units: readonly CheckedUnit[], resolution: Resolution, types: UnifiedTypes): void {
  const taken = new Set(units.flatMap((unit) => [...unit.external.keys(), ...unit.ordinary.keys()]));
  const owners = new Map<string, Set<unknown>>();
  const own = (name: string, owner: unknown) => owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  for (const unit of units) {
    for (const symbol of unit.external.values()) own(symbol.name, ownerOf(symbol, resolution));
    for (const declaration of enumsOf(unit)) {
      for (const { name } of declaration.enumerators ?? []) own(name, types.find(declaration));
    }
  }
  const isShared = (name: string) => (owners.get(name)?.size ?? 0) > 1;
  const labels = nameUnits(units.map(({ fileName }) => fileName));
  units.forEach((unit, i) => {
    const rename = (name: string) => claim(`${name}__${labels[i]}`, taken);
    for (const symbol of unit.external.values()) {
      const isOwn = symbol.linkage === 'internal' && !resolution.symbols.has(symbol) && !isExternal(symbol, resolution);
      if (!isOwn || !isShared(symbol.name)) continue;
      resolution.symbols.set(symbol, { ...symbol, name: rename(symbol.name), sourceName: symbol.name });
    }
    for (const declaration of enumsOf(unit)) {
      if (types.find(declaration) !== declaration || declaration.enumerators === null) continue;
      declaration.enumerators = declaration.enumerators.map(({ name, value }) =>
        isShared(name) ? { name: rename(name), value } : { name, value },
      );
    }
  });
}

function ownerOf(symbol: LinkedSymbol, { symbols }: Resolution): LinkedSymbol {
  return symbols.get(symbol) ?? symbol;
}

function isExternal(symbol: LinkedSymbol, { external }: Resolution): boolean {
  return external.get(symbol.name) === symbol;
}

function enumsOf({ items }: CheckedUnit): EnumDeclaration[] {
  return items.flatMap((item) => (item.kind === 'enum' ? [item.declaration] : []));
}

function claim(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 1; taken.has(name); n++) name = `${wanted}_${n}`;
  taken.add(name);
  return name;
}

// ---------------------------------------------------------------- items

/** The items of all units in their order; what an earlier unit has declared is not declared again. */
function linkItems(units: readonly CheckedUnit[], rewriter: TreeRewriter): TopLevelItem[] {
  const declared = new Set<unknown>();
  const typedefs = new Map<string, Type>();
  const linked: TopLevelItem[] = [];
  for (const unit of units) {
    const items = unit.items.flatMap((item) => rewriteItem(item, rewriter));
    for (const item of items) if (!isKnown(item, declared, typedefs)) linked.push(item);
    for (const item of items) note(item, declared, typedefs);
  }
  return linked;
}

function rewriteItem(item: TopLevelItem, rewriter: TreeRewriter): TopLevelItem[] {
  switch (item.kind) {
    case 'asm':
      return [item];
    case 'function': {
      const { symbol } = item.definition;
      const chosen = rewriter.function(symbol);
      // The chosen symbol may be a copy under another name: then the definition is its own, too.
      const isChosen = chosen === symbol || chosen.definition === item.definition;
      if (!isChosen) return [{ kind: 'function-prototype', symbol: chosen, loc: item.loc }];
      return [{ ...item, definition: rewriter.definition(item.definition) }];
    }
    case 'variable': {
      const { symbol } = item;
      const rewritten = rewriter.variable(symbol);
      const isChosen = rewritten === symbol || rewritten.sourceName === symbol.name;
      // A definition that another stands for only declares.
      return [{ ...item, symbol: rewritten, isDefinition: item.isDefinition && isChosen }];
    }
    case 'record':
      return rewriter.record(item.declaration) === item.declaration ? [item] : [];
    case 'enum':
      return rewriter.enumeration(item.declaration) === item.declaration ? [item] : [];
    case 'record-announcement':
    case 'typedef':
    case 'function-prototype':
      return [rewriter.declaration(item)];
  }
}

/** Whether an item says again what an earlier unit has said. */
function isKnown(item: TopLevelItem, declared: ReadonlySet<unknown>, typedefs: ReadonlyMap<string, Type>): boolean {
  switch (item.kind) {
    case 'typedef': {
      const known = typedefs.get(item.symbol.name);
      return known !== undefined && sameType(known, item.symbol.type);
    }
    case 'record-announcement':
      return declared.has(item.declaration);
    case 'function-prototype':
      return declared.has(item.symbol);
    case 'variable':
      return !item.isDefinition && declared.has(item.symbol);
    default:
      return false;
  }
}

function note(item: TopLevelItem, declared: Set<unknown>, typedefs: Map<string, Type>): void {
  switch (item.kind) {
    case 'typedef':
      if (!typedefs.has(item.symbol.name)) typedefs.set(item.symbol.name, item.symbol.type);
      break;
    case 'record':
    case 'record-announcement':
      declared.add(item.declaration);
      break;
    case 'function-prototype':
    case 'variable':
      declared.add(item.symbol);
      break;
    case 'function':
      declared.add(item.definition.symbol);
      break;
    case 'enum':
    case 'asm':
      break;
  }
}

/**
 * The type checker: from the syntax tree to the typed tree. Resolves names, builds types, checks every expression,
 * makes implicit conversions explicit, evaluates what must be constant, and reports what gcc reports: its errors as
 * errors, its default warnings as warnings. Never throws on user input but for the sink's limit of errors; after an
 * error the program exists but must not be used.
 *
 * The files of this folder call one another in circles, as the grammar does: types contain expressions (array sizes),
 * expressions contain types (casts) and statements (GNU statement expressions).
 */

import type { FunctionSymbol, TopLevelItem, VariableSymbol } from '../../program/tree.ts';
import type { TranslationUnit } from '../parse/ast.ts';
import { type Alias, type Checker, createChecker, type TypeCheckOptions } from './checker.ts';
import { checkExternalDeclaration, completeTentativeDefinitions } from './declarations.ts';
import type { Binding, Tag } from './scope.ts';

/** A translation unit as the linker takes it. */
export interface CheckedUnit {
  readonly fileName: string;
  readonly items: readonly TopLevelItem[];
  /** Everything with linkage, by name. */
  readonly external: ReadonlyMap<string, VariableSymbol | FunctionSymbol>;
  /** What tags and ordinary names mean at file scope. */
  readonly tags: ReadonlyMap<string, Tag>;
  readonly ordinary: ReadonlyMap<string, Binding>;
  /** Functions with external linkage whose definitions are not for other units: `inline` ones. */
  readonly inlineOnly: ReadonlySet<FunctionSymbol>;
  readonly weak: ReadonlySet<VariableSymbol | FunctionSymbol>;
  /** What is but another name of something in the same file. */
  readonly aliases: ReadonlyMap<VariableSymbol | FunctionSymbol, Alias>;
  /** The functions that run before main and after it, with their priorities. */
  readonly constructors: ReadonlyMap<FunctionSymbol, number>;
  readonly destructors: ReadonlyMap<FunctionSymbol, number>;
  /** The next number that is free. */
  readonly nextId: number;
}

export function checkTypes(unit: TranslationUnit, fileName: string, options: TypeCheckOptions): CheckedUnit {
  const c = createChecker(options);
  for (const declaration of unit.declarations) checkExternalDeclaration(c, declaration);
  completeTentativeDefinitions(c);
  applyWeakPragmas(c, unit);
  const { items, external, replaceable, seenOutside, weak, aliases, constructors, destructors, nextId } = c;
  const functions = [...external.values()].filter((symbol) => symbol.kind === 'function-symbol');
  const inlineOnly = functions.filter(
    (symbol) => replaceable.has(symbol) || (symbol.isInline && !seenOutside.has(symbol)),
  );
  return {
    fileName,
    items,
    external,
    tags: c.fileScope.tags ?? new Map(),
    ordinary: c.fileScope.ordinary ?? new Map(),
    inlineOnly: new Set(inlineOnly),
    weak,
    aliases,
    constructors,
    destructors,
    nextId,
  };
}

/** `#pragma weak name` and `#pragma weak name = target`, of what the file declares wherever it does so. */
function applyWeakPragmas(c: Checker, { weakPragmas = [] }: TranslationUnit): void {
  for (const { name, target, loc } of weakPragmas) {
    const symbol = c.external.get(name);
    if (!symbol) continue;
    c.weak.add(symbol);
    if (target !== null) c.aliases.set(symbol, { target, loc });
  }
}

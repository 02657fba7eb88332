/**
 * Finds the bundled models that a program needs: those of the functions that it uses and does not define, and what they
 * need in turn (headers/model-library.ts finds them). The models are preprocessed on their own, so that the program's
 * macros do not reach into them, and parsed after the program in one translation unit, so that they see its types.
 *
 * A name counts as used when it occurs in a function body or initializer and is not the program's own thing at file
 * scope. A variable that merely bears the name of a library function (`index`) must not pull in that function: without
 * the headers, the model's types may not exist. So either the program declares the function, or it calls the name
 * without declaring it. A function that it declares with another number of parameters is its own, which is defined
 * elsewhere (`extern int read(int sensor);`).
 */

import { bundledModels } from './headers/bundled.ts';
import {
  countParameters,
  type LinkedModels,
  linkModels,
  type ModelLibrary,
  openLibrary,
} from './headers/model-library.ts';
import type { Token } from './lex/token.ts';
import type { Attribute, Declarator, ExternalDeclaration, TranslationUnit } from './parse/ast.ts';
import type { NameKinds } from './parse/scope.ts';
import type { PreprocessOptions } from './preprocess/options.ts';
import { preprocess } from './preprocess/preprocess.ts';

/** A translation unit before its models are known, and the options that it was preprocessed with. */
export interface UnitWithoutModels {
  readonly tokens: readonly Token[];
  readonly unit: TranslationUnit;
  /** The names at file scope. */
  readonly scope: NameKinds;
  readonly options: PreprocessOptions;
}

/**
 * For each unit the tokens of its models, or null when it needs none. A function that another unit defines is
 * the program's own; a model that several units use is appended to each, and the linker takes one.
 */
export function findModels(units: readonly UnitWithoutModels[]): (readonly Token[] | null)[] {
  const library = openLibrary(bundledModels);
  const named = units.map(({ tokens, unit }) => {
    const names = fileScopeNames(unit);
    const used = usedNames(tokens, names);
    if (unit.declarations.some(declaresDestructor)) used.add('atexit');
    return { names, used, own: ownFunctions(library, names) };
  });
  const seen = new Set(named.flatMap(({ names }) => [...names.defined].filter((name) => !names.internal.has(name))));
  const link = ({ names, used, own }: (typeof named)[number], elsewhere: ReadonlySet<string>): LinkedModels =>
    linkModels(library, used, new Set([...seen, ...names.defined, ...own]), elsewhere);
  const all = linkAll((elsewhere) => named.map((unit) => link(unit, elsewhere)));
  return units.map(({ options }, i) => {
    const { text } = all[i] as LinkedModels;
    const types = missingTypes(text, (named[i] as (typeof named)[number]).names);
    if (text === '') return null;
    return preprocess({
      ...options,
      fileName: '<lazuli models>',
      text: `${types}${text}`,
      forcedIncludes: [],
      macroFiles: [],
    });
  });
}

/** What one unit links can switch on lines in the models of another, which then link more. */
function linkAll(link: (elsewhere: ReadonlySet<string>) => LinkedModels[]): LinkedModels[] {
  let known: ReadonlySet<string> = new Set();
  for (;;) {
    const linked = link(known);
    const names = new Set(linked.flatMap((models) => models.names));
    if (linked.length === 1 || names.size === known.size) return linked;
    known = names;
  }
}

/**
 * Types that models mention and that programs with declarations of their own do without, as they only pass them on or
 * pass 0.
 */
const replaceableTypes = new Map([
  ['pthread_t', 'unsigned long'],
  ['time_t', 'long'],
  ...['attr', 'mutexattr', 'condattr', 'rwlockattr', 'barrierattr'].map(
    (name) => [`pthread_${name}_t`, 'int'] as const,
  ),
]);

function missingTypes(text: string, { others }: FileScopeNames): string {
  const missing = [...replaceableTypes].filter(([name]) => !others.has(name) && new RegExp(`\\b${name}\\b`).test(text));
  return missing.map(([name, type]) => `typedef ${type} ${name};\n`).join('');
}

/**
 * Threads and locks are never the program's own: taken as unknown functions they would do nothing, which is worse than
 * an error.
 */
const neverOwn = /^(pthread|sem|thrd|mtx|cnd|tss)_/;

function ownFunctions(library: ModelLibrary, names: FileScopeNames): string[] {
  return [...names.functions].flatMap(([name, parameters]) => {
    const item = library.items.get(name);
    if (parameters === null || item?.kind !== 'function' || neverOwn.test(name)) return [];
    const modelled = countParameters(item);
    // `(void)` looks like one parameter here.
    return modelled === 0 || modelled === parameters ? [] : [name];
  });
}

/** Destructors are exit handlers: types/surround-main.ts registers them. */
function declaresDestructor(declaration: ExternalDeclaration): boolean {
  const declarators =
    declaration.kind === 'function-definition'
      ? [declaration]
      : declaration.kind === 'declaration'
        ? declaration.declarators
        : [];
  const lists = declarators.flatMap((node) => [node.attributes, ...attributesOf(node.declarator)]);
  if ('specifiers' in declaration) lists.push(declaration.specifiers.attributes);
  return lists.some((list) => list.some(({ name }) => name === 'destructor'));
}

function attributesOf(declarator: Declarator): (readonly Attribute[])[] {
  const lists: (readonly Attribute[])[] = [];
  for (let at = declarator; at.kind !== 'name'; at = at.inner) if (at.kind === 'attributed') lists.push(at.attributes);
  return lists;
}

export interface FileScopeNames {
  /** Functions and variables with a definition (of variables, any declaration without `extern`). */
  readonly defined: ReadonlySet<string>;
  /** Those with a `static` declaration. */
  readonly internal: ReadonlySet<string>;
  /**
   * Functions that are declared, with the number of their parameters (`...` counts as one) where there is a prototype.
   */
  readonly functions: ReadonlyMap<string, number | null>;
  /** All other names: variables, typedefs. */
  readonly others: ReadonlySet<string>;
}

export function fileScopeNames(unit: TranslationUnit): FileScopeNames {
  const defined = new Set<string>();
  const internal = new Set<string>();
  const functions = new Map<string, number | null>();
  const others = new Set<string>();
  for (const declaration of unit.declarations) {
    if (declaration.kind === 'function-definition') {
      const { name } = nameOf(declaration.declarator);
      if (name === null) continue;
      defined.add(name);
      if (declaration.specifiers.storage === 'static') internal.add(name);
    } else if (declaration.kind === 'declaration') {
      for (const { declarator } of declaration.declarators) {
        const { name, isFunction, parameters } = nameOf(declarator);
        if (name === null) continue;
        if (declaration.specifiers.storage === 'static') internal.add(name);
        if (isFunction) functions.set(name, parameters);
        else others.add(name);
        if (!isFunction && declaration.specifiers.storage !== 'extern') defined.add(name);
      }
    }
  }
  return { defined, internal, functions, others };
}

interface DeclaredName {
  readonly name: string | null;
  readonly isFunction: boolean;
  readonly parameters: number | null;
}

/** The name that a declarator declares, and whether as a function. */
function nameOf(declarator: Declarator): DeclaredName {
  let at = declarator;
  let isFunction = false;
  let parameters: number | null = null;
  while (at.kind !== 'name') {
    // What stands nearest to the name decides: `int (*f)(void)` is a pointer.
    if (at.kind !== 'attributed') isFunction = at.kind === 'function';
    if (at.kind === 'function') parameters = at.oldStyleNames ? null : at.parameters.length + Number(at.variadic);
    at = at.inner;
  }
  return { name: at.name, isFunction, parameters };
}

/** What statements with CBMC's label for threads need: types/outline-async.ts calls it. */
const ASYNC_MODELS = ['__lazuli_start_async', '__lazuli_async_memory', '__lazuli_async_free'] as const;

function usedNames(tokens: readonly Token[], names: FileScopeNames): Set<string> {
  const used = new Set<string>();
  let depth = 0;
  let inInitializer = false;
  tokens.forEach((token, i) => {
    if (token.text === '{') depth++;
    else if (token.text === '}') depth--;
    else if (depth === 0 && token.text === '=') inInitializer = true;
    else if (depth === 0 && token.text === ';') inInitializer = false;
    else if (token.kind === 'identifier' && (depth > 0 || inInitializer)) {
      if (token.text.startsWith('__CPROVER_ASYNC')) for (const model of ASYNC_MODELS) used.add(model);
      const isCall = tokens[i + 1]?.text === '(';
      const name = token.text.replace(/^__builtin_(?=\w)/, '');
      if (names.functions.has(name) || (isCall && !names.others.has(name))) used.add(name);
    }
  });
  return used;
}

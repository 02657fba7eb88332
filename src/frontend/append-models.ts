/**
 * Appends the bundled models to a program: those of the functions that it uses and does not define, and what they need
 * in turn (headers/model-library.ts finds them). The models are preprocessed on their own, so that the program's macros
 * do not reach into them, and parsed after the program in one translation unit, so that they see its types.
 *
 * A name counts as used when it occurs in a function body or initialiser and is not the program's own thing at file
 * scope. A variable that merely bears the name of a library function (`index`) must not pull in that function: without
 * the headers, the model's types may not exist. So either the program declares the function, or it calls the name
 * without declaring it. A function that it declares with another number of parameters is its own, which is defined
 * elsewhere (`extern int read(int sensor);`).
 */

import { bundledModels } from './headers/bundled.ts';
import { countParameters, indexModels, linkModels, type ModelLibrary } from './headers/model-library.ts';
import type { Token } from './lex/token.ts';
import type { Attribute, Declarator, ExternalDeclaration, TranslationUnit } from './parse/ast.ts';
import type { PreprocessOptions } from './preprocess/options.ts';
import { preprocess } from './preprocess/preprocess.ts';

/** The tokens of the program and of its models, or null when it needs none. `options` are those of the program. */
export function appendModels(
  tokens: readonly Token[],
  unit: TranslationUnit,
  options: PreprocessOptions,
): readonly Token[] | null {
  const names = fileScopeNames(unit);
  const used = usedNames(tokens, names);
  if (unit.declarations.some(declaresDestructor)) used.add('atexit');
  const library = indexModels(bundledModels);
  const linked = linkModels(library, used, new Set([...names.defined, ...ownFunctions(library, names)]));
  if (linked.text === '') return null;
  const text = `${missingTypes(linked.text, names)}${linked.text}`;
  const models = preprocess({ ...options, fileName: '<lazuli models>', text });
  return [...tokens.slice(0, -1), ...models];
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

interface FileScopeNames {
  /** Functions and variables with a definition (of variables, any declaration without `extern`). */
  readonly defined: ReadonlySet<string>;
  /**
   * Functions that are declared, with the number of their parameters (`...` counts as one) where there is a prototype.
   */
  readonly functions: ReadonlyMap<string, number | null>;
  /** All other names: variables, typedefs. */
  readonly others: ReadonlySet<string>;
}

function fileScopeNames(unit: TranslationUnit): FileScopeNames {
  const defined = new Set<string>();
  const functions = new Map<string, number | null>();
  const others = new Set<string>();
  for (const declaration of unit.declarations) {
    if (declaration.kind === 'function-definition') {
      const { name } = nameOf(declaration.declarator);
      if (name !== null) defined.add(name);
    } else if (declaration.kind === 'declaration') {
      for (const { declarator } of declaration.declarators) {
        const { name, isFunction, parameters } = nameOf(declarator);
        if (name === null) continue;
        if (isFunction) functions.set(name, parameters);
        else others.add(name);
        if (!isFunction && declaration.specifiers.storage !== 'extern') defined.add(name);
      }
    }
  }
  return { defined, functions, others };
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
      const isCall = tokens[i + 1]?.text === '(';
      const name = token.text.replace(/^__builtin_(?=\w)/, '');
      if (names.functions.has(name) || (isCall && !names.others.has(name))) used.add(name);
    }
  });
  return used;
}

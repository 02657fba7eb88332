/**
 * Functions: prototypes and definitions, old-style definitions, linkage, `inline` and GNU `extern inline`, and
 * functions that are called before any declaration.
 */

import { sizeOf } from '../../program/layout.ts';
import type { FunctionSymbol, VariableSymbol } from '../../program/tree.ts';
import {
  compatible,
  compositeType,
  functionType,
  intType,
  isComplete,
  isInteger,
  unqualified,
} from '../../program/type-operations.ts';
import type { FunctionType, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { type AttributeSummary, readAttributes } from './attributes.ts';
import { type Checker, emit, error, errorType, type FunctionState, inScope, show, warn } from './checker.ts';
import { ignoreCleanup, refuseComputedGoto } from './cleanups.ts';
import type { NamedDeclaration } from './declarations.ts';
import { adjustParameter, applyDeclarator, createParameter, typeOfSpecifiers } from './declared-types.ts';
import { bind } from './scope.ts';
import { checkBlockItems, closeLabels } from './statements.ts';

// ---------------------------------------------------------------- declarations

/** Declares a function (at file scope or in a block) and lists the prototype. */
export function declareFunction(
  c: Checker,
  declared: NamedDeclaration,
  specifiers: ast.Specifiers,
  attributes: Readonly<AttributeSummary>,
): void {
  const { name, loc } = declared;
  const { storage } = specifiers;
  if (c.scope.kind !== 'file' && storage !== null && storage !== 'extern') {
    error(c, loc, 'storage-class', `invalid storage class for function '${name}'`);
  }
  if (storage === 'auto' || storage === 'register') {
    error(c, loc, 'storage-class', `function '${name}' declared '${storage}'`);
  }
  const symbol = mergeFunction(c, declared, specifiers, attributes, false);
  if (symbol !== null) emit(c, { kind: 'function-prototype', symbol, loc });
}

function mergeFunction(
  c: Checker,
  { name, loc, type }: NamedDeclaration,
  specifiers: ast.Specifiers,
  attributes: Readonly<AttributeSummary>,
  isDefinition: boolean,
): FunctionSymbol | null {
  const visible = c.scope.ordinary?.get(name);
  const known = c.external.get(name);
  if ((visible !== undefined && visible !== known) || (known !== undefined && known.kind !== 'function-symbol')) {
    const previous = visible ?? known;
    const note = { loc: previous?.loc ?? loc, message: `previous declaration of '${name}'` };
    error(c, loc, 'redeclared', `'${name}' redeclared as different kind of symbol`, [note]);
    return null;
  }
  let symbol: FunctionSymbol;
  if (known === undefined) {
    symbol = createFunction(c, name, type, specifiers.storage === 'static' ? 'internal' : 'external', loc);
  } else {
    symbol = known as FunctionSymbol;
    mergeTypes(c, symbol, type, loc, isDefinition);
    if (specifiers.storage === 'static' && symbol.linkage === 'external') {
      const note = { loc: symbol.loc, message: `previous declaration of '${name}'` };
      const implicit = c.implicit.has(symbol);
      if (implicit)
        warn(c, loc, 'redeclared', `static declaration of '${name}' follows non-static declaration`, [note]);
      else error(c, loc, 'redeclared', `static declaration of '${name}' follows non-static declaration`, [note]);
      symbol.linkage = 'internal';
    }
  }
  if (specifiers.inline) symbol.isInline = true;
  const isGnu = attributes.gnuInline || c.gnuInline;
  if (isGnu || !specifiers.inline || specifiers.storage === 'extern') c.seenOutside.add(symbol);
  if (attributes.weak) c.weak.add(symbol);
  if (attributes.alias !== null) c.aliases.set(symbol, attributes.alias);
  if (specifiers.noreturn || attributes.noreturn) symbol.isNoreturn = true;
  if (attributes.beforeMain !== null) c.constructors.set(symbol, attributes.beforeMain);
  if (attributes.afterMain !== null) c.destructors.set(symbol, attributes.afterMain);
  bind(c.scope, name, symbol);
  return symbol;
}

function mergeTypes(c: Checker, symbol: FunctionSymbol, type: Type, loc: Loc, isDefinition: boolean): void {
  if (symbol.type === errorType || type === errorType) return;
  if (compatible(symbol.type, type)) {
    symbol.type = compositeType(symbol.type, type);
    c.implicit.delete(symbol);
    return;
  }
  const message = `conflicting types for '${symbol.name}': ${show(type)} after ${show(symbol.type)}`;
  const notes = [{ loc: symbol.loc, message: `previous declaration of '${symbol.name}'` }];
  if (c.implicit.has(symbol)) {
    warn(c, loc, 'redeclared', message, notes);
    c.implicit.delete(symbol);
    symbol.type = type;
  } else if (isDefinition && matchesPromoted(symbol.type, type)) {
    // An old-style definition after a prototype with narrow parameters: gcc accepts it, the prototype counts.
  } else if (isInModels(c, loc) && haveSameLayout(symbol.type, type)) {
    // The program was preprocessed where size_t is another type than in its data model, or declares the function in its
    // own words. The prototype counts, also for what the model returns.
    warnOfOtherResult(c, symbol, type);
  } else error(c, loc, 'redeclared', message, notes);
}

function isInModels(c: Checker, loc: Loc): boolean {
  return c.sources.place(loc)?.file.startsWith('<lazuli models>/') ?? false;
}

/** A library function whose result the program declares in another width than the library has it. */
function warnOfOtherResult(c: Checker, symbol: FunctionSymbol, modelled: Type): void {
  if (symbol.type.kind !== 'function' || modelled.kind !== 'function') return;
  const [declared, result] = [symbol.type.result, modelled.result];
  if (!isInteger(declared) || sizeOf(declared, c.model) === sizeOf(result, c.model)) return;
  const conversion = `${show(result)} is converted to ${show(declared)}`;
  const message = `'${symbol.name}' is declared with a result that differs from the library's: ${conversion}`;
  warn(c, symbol.loc, 'redeclared', message);
}

/**
 * Whether calls by one type reach a function of the other: the same number of integers, pointers and so on. Integers
 * that are passed or returned are converted.
 */
export function haveSameLayout(left: Type, right: Type): boolean {
  if (left.kind !== 'function' || right.kind !== 'function') return false;
  if (left.variadic !== right.variadic || left.parameters.length !== right.parameters.length) return false;
  const areAlike = (a: Type, b: Type) =>
    compatible(unqualified(a), unqualified(b)) ||
    (a.kind === 'pointer' && b.kind === 'pointer') ||
    (isInteger(a) && isInteger(b));
  return (
    areAlike(left.result, right.result) &&
    left.parameters.every((type, i) => areAlike(type, right.parameters[i] as Type))
  );
}

/** An old-style definition and a prototype that gives its parameters as they are, not promoted. */
function matchesPromoted(prototype: Type, definition: Type): boolean {
  if (prototype.kind !== 'function' || definition.kind !== 'function' || !definition.oldStyle) return false;
  return compatible(prototype.result, definition.result);
}

export function createFunction(
  c: Pick<Checker, 'nextId' | 'external'>,
  name: string,
  type: Type,
  linkage: 'external' | 'internal',
  loc: Loc,
): FunctionSymbol {
  const symbol: FunctionSymbol = {
    kind: 'function-symbol',
    id: c.nextId++,
    name,
    type,
    linkage,
    isInline: false,
    isNoreturn: false,
    definition: null,
    loc,
  };
  c.external.set(name, symbol);
  return symbol;
}

/** Words of verifiers, whose programs do not declare them. */
const KNOWN_TO_VERIFIERS = /^__(CPROVER|ESBMC)_/;

/** A function that is called before it is declared: `int name()`, or the known type of a library function. */
export function declareImplicitly(c: Checker, name: string, known: FunctionType | null, loc: Loc): FunctionSymbol {
  const existing = c.external.get(name);
  if (!KNOWN_TO_VERIFIERS.test(name))
    warn(c, loc, 'implicit-function-declaration', `implicit declaration of function '${name}'`);
  if (existing?.kind === 'function-symbol') {
    bind(c.scope, name, existing);
    return existing;
  }
  const symbol = createFunction(c, name, known ?? functionType(intType, [], false, true), 'external', loc);
  c.implicit.add(symbol);
  bind(c.fileScope, name, symbol);
  c.items.push({ kind: 'function-prototype', symbol, loc });
  return symbol;
}

// ---------------------------------------------------------------- definitions

export function checkFunctionDefinition(c: Checker, node: ast.FunctionDefinition): void {
  const base = typeOfSpecifiers(c, node.specifiers);
  if (node.specifiers.type.kind === 'implicit-int') {
    warn(c, node.loc, 'implicit-int', "return type defaults to 'int'");
  }
  const declared = applyDeclarator(c, base, node.declarator);
  if (declared.name === null || declared.type.kind !== 'function' || declared.parameters === null) {
    if (declared.type !== errorType) error(c, node.loc, 'syntax', 'this definition does not define a function');
    return;
  }
  const attributes = readAttributes(c, node.specifiers.attributes, declared.attributes, node.attributes);
  ignoreCleanup(c, attributes);
  const { type } = declared;
  if (type.alias !== null) error(c, node.loc, 'syntax', 'function type inherited from a typedef');
  const { result } = type;
  if (result.kind !== 'void' && !isComplete(result)) {
    error(c, node.loc, 'incomplete-type', `return type ${show(result)} is incomplete`);
  }
  const named: NamedDeclaration = { ...declared, name: declared.name };
  const symbol = mergeFunction(c, named, node.specifiers, attributes, true);
  const isGnu = attributes.gnuInline || c.gnuInline;
  const isGnuExternInline = isGnu && node.specifiers.inline && node.specifiers.storage === 'extern';
  if (symbol === null || !claimDefinition(c, symbol, isGnuExternInline, node.loc)) return;
  checkBody(c, node, symbol, named, symbol.type.kind === 'function' ? symbol.type.result : result);
}

/** Reports a second definition, unless the first was GNU `extern inline`. */
function claimDefinition(c: Checker, symbol: FunctionSymbol, isGnuExternInline: boolean, loc: Loc): boolean {
  if (symbol.definition !== null && !c.replaceable.has(symbol)) {
    const note = { loc: symbol.definition.loc, message: 'previous definition' };
    error(c, loc, 'redeclared', `redefinition of '${symbol.name}'`, [note]);
    return false;
  }
  if (symbol.definition !== null) forgetDefinition(c, symbol);
  if (isGnuExternInline) c.replaceable.add(symbol);
  else c.replaceable.delete(symbol);
  return true;
}

/** The definition that is replaced leaves a prototype in its place. */
function forgetDefinition(c: Checker, symbol: FunctionSymbol): void {
  const at = c.items.findIndex((item) => item.kind === 'function' && item.definition.symbol === symbol);
  const old = c.items[at];
  if (old !== undefined) c.items[at] = { kind: 'function-prototype', symbol, loc: old.loc };
}

function checkBody(
  c: Checker,
  node: ast.FunctionDefinition,
  symbol: FunctionSymbol,
  declared: NamedDeclaration,
  result: Type,
): void {
  inScope(c, 'block', () => {
    const state: FunctionState = {
      symbol,
      result: unqualified(result),
      labels: [new Map()],
      passesCallerArguments: false,
      nameLiteral: null,
      guardedScope: null,
      loopDepth: 0,
      switches: [],
      breakDepth: 0,
      hasCleanup: false,
      computedGoto: null,
    };
    const parameters =
      declared.oldStyleNames === null
        ? bindParameters(c, declared.parameters ?? [])
        : declareOldStyle(c, declared.oldStyleNames, node.oldStyleDeclarations, declared.loc);
    c.function = state;
    const body = checkBlockItems(c, node.body);
    closeLabels(c, state);
    refuseComputedGoto(c, state);
    c.function = null;
    if (state.passesCallerArguments) {
      // The function is defined elsewhere too: calls go there.
      emit(c, { kind: 'function-prototype', symbol, loc: declared.loc });
      return;
    }
    const definition = { symbol, parameters, body, loc: declared.loc };
    symbol.definition = definition;
    c.items.push({ kind: 'function', definition, loc: declared.loc });
  });
}

function bindParameters(c: Checker, parameters: readonly VariableSymbol[]): readonly VariableSymbol[] {
  for (const symbol of parameters) {
    if (symbol.name === '') continue;
    bind(c.scope, symbol.name, symbol);
    if (!isComplete(symbol.type) && symbol.type !== errorType) {
      error(c, symbol.loc, 'incomplete-type', `parameter '${symbol.name}' has incomplete type ${show(symbol.type)}`);
    }
  }
  return parameters;
}

/** `int f(a, b) char a; { … }`: parameters without a declaration are ints. */
function declareOldStyle(
  c: Checker,
  names: readonly string[],
  declarations: readonly ast.Declaration[],
  loc: Loc,
): readonly VariableSymbol[] {
  const types = new Map<string, { type: Type; loc: Loc }>();
  for (const declaration of declarations) {
    const base = typeOfSpecifiers(c, declaration.specifiers);
    for (const { declarator } of declaration.declarators) {
      const declared = applyDeclarator(c, base, declarator);
      if (declared.name === null) continue;
      if (!names.includes(declared.name)) {
        error(c, declared.loc, 'undeclared', `declaration for parameter '${declared.name}' but no such parameter`);
      }
      types.set(declared.name, { type: adjustParameter(declared.type), loc: declared.loc });
    }
  }
  return names.map((name) => {
    const known = types.get(name);
    if (known === undefined) warn(c, loc, 'implicit-int', `type of '${name}' defaults to 'int'`);
    const symbol = createParameter(c, name, known?.type ?? intType, known?.loc ?? loc);
    bind(c.scope, name, symbol);
    return symbol;
  });
}

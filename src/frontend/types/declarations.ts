/**
 * Declarations at file scope and in blocks: typedefs, variables, function prototypes, static assertions. Decides
 * linkage and storage duration (C 6.2.2, 6.2.4), merges redeclarations into composite types, and knows tentative
 * definitions.
 */

import { variableSymbol } from '../../program/build-tree.ts';
import { evaluateConstant } from '../../program/evaluate-constant.ts';
import type { Linkage, StorageDuration, TypedefSymbol, VariableSymbol } from '../../program/tree.ts';
import {
  compatible,
  compositeType,
  isComplete,
  isVariablyModified,
  sameType,
  unqualified,
} from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { assertNever } from '../../support/invariant.ts';
import type * as ast from '../parse/ast.ts';
import { type AttributeSummary, applyMode, readAttributes } from './attributes.ts';
import { type Checker, emit, error, errorType, isError, refuse, show, warn } from './checker.ts';
import { attachCleanup, ignoreCleanup } from './cleanups.ts';
import { applyDeclarator, type Declared, deducedType, requestedAlignment, typeOfSpecifiers } from './declared-types.ts';
import { checkIntegerConstant, checkValue } from './expressions.ts';
import { checkFunctionDefinition, declareFunction } from './functions.ts';
import { checkInitializer } from './initializers.ts';
import { type Binding, bind } from './scope.ts';

export function checkExternalDeclaration(c: Checker, node: ast.ExternalDeclaration): void {
  switch (node.kind) {
    case 'declaration':
      checkDeclaration(c, node);
      return;
    case 'function-definition':
      checkFunctionDefinition(c, node);
      return;
    case 'static-assert':
      checkStaticAssertion(c, node);
      return;
    case 'asm-declaration':
      c.items.push({ kind: 'asm', text: node.text, loc: node.loc });
      return;
    default:
      assertNever(node);
  }
}

export function checkStaticAssertion(c: Checker, node: ast.StaticAssertion): void {
  const value = checkIntegerConstant(c, node.condition, 'the condition of the static assertion');
  if (value !== 0n) return;
  const message = node.message === null ? 'static assertion failed' : `static assertion failed: ${node.message}`;
  error(c, node.loc, 'static-assert', message);
}

export function checkDeclaration(c: Checker, node: ast.Declaration): void {
  const { specifiers, declarators } = node;
  if (declarators.length === 0) {
    checkLoneSpecifiers(c, node);
    return;
  }
  const base = typeOfSpecifiers(c, specifiers);
  if (specifiers.type.kind === 'implicit-int') {
    warn(c, node.loc, 'implicit-int', 'type defaults to int in declaration');
  }
  for (const declarator of declarators) {
    if (specifiers.type.kind === 'auto-type') declareDeduced(c, node, declarator);
    else declareOne(c, base, specifiers, declarator);
  }
}

/** `struct s;`, `struct s {…};`, `enum {…};`. */
function checkLoneSpecifiers(c: Checker, node: ast.Declaration): void {
  const { specifiers } = node;
  const { type } = specifiers;
  const isTag = type.kind === 'struct' || type.kind === 'union' || type.kind === 'enum';
  typeOfSpecifiers(c, specifiers, isTag && (type.kind === 'enum' || type.members === null));
  if (!isTag) warn(c, node.loc, 'declaration', 'useless type name in empty declaration');
}

/** Attributes may change the type (`mode`), the alignment, or what the function does. */
function declareOne(c: Checker, base: Type, specifiers: ast.Specifiers, node: ast.InitDeclarator): void {
  const declared = applyDeclarator(c, base, node.declarator);
  const attributes = readAttributes(c, specifiers.attributes, declared.attributes, node.attributes);
  let { type } = declared;
  if (attributes.mode !== null && readAttributes(c, specifiers.attributes).mode === null) {
    type = applyMode(c, type, attributes.mode, [...declared.attributes, ...node.attributes]);
  }
  if (declared.name === null) return;
  const named = { ...declared, type, name: declared.name };
  if (specifiers.storage === 'typedef' || type.kind === 'function') ignoreCleanup(c, attributes);
  if (specifiers.storage === 'typedef') declareTypedef(c, named, specifiers, attributes, node);
  else if (type.kind === 'function') {
    if (node.initializer !== null)
      error(c, node.loc, 'initializer', `function '${named.name}' is initialised like a variable`);
    declareFunction(c, named, specifiers, attributes);
  } else declareVariable(c, named, specifiers, attributes, node);
}

export type NamedDeclaration = Declared & { readonly name: string };

// ---------------------------------------------------------------- typedefs

function declareTypedef(
  c: Checker,
  { name, type, loc }: NamedDeclaration,
  specifiers: ast.Specifiers,
  attributes: Readonly<AttributeSummary>,
  node: ast.InitDeclarator,
): void {
  if (node.initializer !== null) error(c, node.loc, 'initializer', `typedef '${name}' is initialised`);
  if (attributes.transparentUnion && type.kind === 'record') type.declaration.transparent = true;
  const previous = c.scope.ordinary?.get(name);
  if (previous !== undefined) {
    const same = previous.kind === 'typedef-symbol' && (sameType(previous.type, type) || type === errorType);
    if (!same) {
      reportConflict(c, name, loc, previous);
      return;
    }
  }
  const alignment = requestedAlignment(c, specifiers, attributes.alignment);
  const symbol: TypedefSymbol = { kind: 'typedef-symbol', id: c.nextId++, name, type, alignment, loc };
  if (previous === undefined || previous.kind !== 'typedef-symbol' || previous.type === errorType)
    bind(c.scope, name, symbol);
  if (type !== errorType) emit(c, { kind: 'typedef', symbol, loc });
  if (c.function !== null && isVariablyModified(type)) guardScope(c, 'variable-array');
}

function reportConflict(c: Checker, name: string, loc: NamedDeclaration['loc'], previous: Binding): void {
  const note = { loc: previous.loc, message: `previous declaration of '${name}'` };
  error(c, loc, 'redeclared', `'${name}' redeclared as different kind of symbol or with a conflicting type`, [note]);
}

/** From here on, jumps may not enter the rest of the block. */
function guardScope(c: Checker, reason: 'variable-array' | 'cleanup'): void {
  if (c.function !== null) c.function.guardedScope = { reason, parent: c.function.guardedScope };
}

// ---------------------------------------------------------------- variables

/** GNU `__auto_type x = value;`. */
function declareDeduced(c: Checker, node: ast.Declaration, declarator: ast.InitDeclarator): void {
  const { specifiers } = node;
  if (declarator.initializer?.kind !== 'expression-initializer' || declarator.declarator.kind !== 'name') {
    error(c, declarator.loc, 'syntax', "'__auto_type' needs a plain name and an initializer");
    return;
  }
  const { name } = declarator.declarator;
  const value = checkValue(c, declarator.initializer.value);
  if (value.kind === 'member' && value.field.bits !== null) {
    error(c, declarator.loc, 'type-mismatch', "'__auto_type' used with a bit-field initializer");
  }
  const type = isError(value) ? errorType : deducedType(c, value, declarator.loc);
  declareOne(c, type, specifiers, { ...declarator, initializer: null });
  const symbol = name === null ? undefined : c.scope.ordinary?.get(name);
  if (symbol?.kind !== 'variable-symbol' || type === errorType) return;
  if (symbol.duration !== 'automatic' && evaluateConstant(value, c.model) === null) {
    error(c, declarator.loc, 'not-constant', 'initializer element is not constant');
  }
  symbol.initializer = { kind: 'scalar', value };
}

function declareVariable(
  c: Checker,
  declared: NamedDeclaration,
  specifiers: ast.Specifiers,
  attributes: Readonly<AttributeSummary>,
  node: ast.InitDeclarator,
): void {
  const { name, loc, type } = declared;
  if (type.kind === 'void') {
    error(c, loc, 'incomplete-type', `variable or field '${name}' declared void`);
    return;
  }
  checkStorage(c, declared, specifiers, node);
  const alignment = requestedAlignment(c, specifiers, attributes.alignment);
  const isExtern = specifiers.storage === 'extern';
  const hasLinkage = c.scope.kind === 'file' || isExtern;
  const symbol = hasLinkage
    ? declareLinked(c, declared, specifiers, alignment)
    : declareLocal(c, declared, specifiers, alignment);
  if (symbol === null) return;
  if (attributes.weak) c.weak.add(symbol);
  if (attributes.alias !== null) c.aliases.set(symbol, attributes.alias);
  if (node.initializer !== null) initializeVariable(c, symbol, node.initializer, isExtern, node);
  const isDefinition = symbol.duration === 'automatic' || node.initializer !== null || !isExtern;
  if (isDefinition && symbol.duration !== 'automatic') symbol.defined = true;
  checkCompleteness(c, symbol, isDefinition, node);
  if (symbol.type !== errorType) emit(c, { kind: 'variable', symbol, isDefinition, loc });
  if (!hasLinkage && isVariablyModified(symbol.type)) guardScope(c, 'variable-array');
  if (attributes.cleanup !== null) {
    attachCleanup(c, symbol, attributes.cleanup);
    if (symbol.cleanup !== null) guardScope(c, 'cleanup');
  }
}

function checkStorage(
  c: Checker,
  { name, loc, type }: NamedDeclaration,
  specifiers: ast.Specifiers,
  node: ast.InitDeclarator,
): void {
  const { storage } = specifiers;
  const atFile = c.scope.kind === 'file';
  if (atFile && (storage === 'auto' || storage === 'register')) {
    error(c, loc, 'storage-class', `file-scope declaration of '${name}' specifies '${storage}'`);
  }
  if (specifiers.inline) warn(c, loc, 'inline', `variable '${name}' declared 'inline'`);
  if (specifiers.threadLocal && !atFile && storage !== 'static' && storage !== 'extern') {
    error(c, loc, 'storage-class', `function-scope '${name}' implicitly auto and declared thread-local`);
  }
  if (isVariablyModified(type) && (storage === 'static' || storage === 'extern') && !atFile && type.kind === 'array') {
    error(c, loc, 'storage-class', `object '${name}' of variable size has static storage`);
  }
  if (storage === 'extern' && !atFile && node.initializer !== null) {
    error(c, loc, 'initializer', `'${name}' has both 'extern' and initializer`);
  }
  if (node.asmLabel !== null && storage === 'register') refuse(c, loc, 'a variable bound to a machine register');
}

function createVariable(
  c: Checker,
  { name, type, loc }: NamedDeclaration,
  duration: StorageDuration,
  linkage: Linkage,
  alignment: number | null,
): VariableSymbol {
  return variableSymbol({
    ...{ id: c.nextId++, name, type, loc },
    ...{ duration, linkage, alignment, defined: duration === 'automatic' },
  });
}

/** A variable of a block without linkage: automatic or a static local. */
function declareLocal(
  c: Checker,
  declared: NamedDeclaration,
  specifiers: ast.Specifiers,
  alignment: number | null,
): VariableSymbol | null {
  const previous = c.scope.ordinary?.get(declared.name);
  if (previous !== undefined) {
    const note = { loc: previous.loc, message: `previous declaration of '${declared.name}'` };
    error(c, declared.loc, 'redeclared', `redeclaration of '${declared.name}' with no linkage`, [note]);
    return null;
  }
  const isStatic = specifiers.storage === 'static';
  const duration = specifiers.threadLocal ? 'thread' : isStatic ? 'static' : 'automatic';
  const symbol = createVariable(c, declared, duration, 'none', alignment);
  if (specifiers.storage === 'register') c.registers.add(symbol);
  bind(c.scope, declared.name, symbol);
  return symbol;
}

/** A variable with linkage: at file scope, or `extern` in a block. Merges with earlier declarations. */
function declareLinked(
  c: Checker,
  declared: NamedDeclaration,
  specifiers: ast.Specifiers,
  alignment: number | null,
): VariableSymbol | null {
  const { name, loc, type } = declared;
  const visible = c.scope.ordinary?.get(name);
  const linked = c.external.get(name);
  if (visible !== undefined && visible !== linked) {
    reportConflict(c, name, loc, visible);
    return null;
  }
  if (linked === undefined) {
    const linkage = specifiers.storage === 'static' ? 'internal' : 'external';
    const symbol = createVariable(c, declared, specifiers.threadLocal ? 'thread' : 'static', linkage, alignment);
    c.external.set(name, symbol);
    bind(c.scope, name, symbol);
    return symbol;
  }
  if (linked.kind !== 'variable-symbol') {
    reportConflict(c, name, loc, linked);
    return null;
  }
  mergeVariable(c, linked, declared, specifiers, alignment);
  if (visible === undefined) bind(c.scope, name, linked);
  if (linked.type === errorType && type !== errorType) linked.type = type;
  return linked;
}

function mergeVariable(
  c: Checker,
  symbol: VariableSymbol,
  { name, type, loc }: NamedDeclaration,
  specifiers: ast.Specifiers,
  alignment: number | null,
): void {
  const note = { loc: symbol.loc, message: `previous declaration of '${name}'` };
  if (type !== errorType && symbol.type !== errorType) {
    if (!compatible(symbol.type, type)) {
      error(c, loc, 'redeclared', `conflicting types for '${name}': ${show(type)} after ${show(symbol.type)}`, [note]);
    } else symbol.type = compositeType(symbol.type, type);
  }
  const { storage } = specifiers;
  if (storage === 'static' && symbol.linkage === 'external') {
    error(c, loc, 'redeclared', `static declaration of '${name}' follows non-static declaration`, [note]);
  } else if (storage === null && symbol.linkage === 'internal') {
    error(c, loc, 'redeclared', `non-static declaration of '${name}' follows static declaration`, [note]);
  }
  if ((symbol.duration === 'thread') !== specifiers.threadLocal) {
    const [now, before] = specifiers.threadLocal
      ? ['thread-local', 'non-thread-local']
      : ['non-thread-local', 'thread-local'];
    error(c, loc, 'redeclared', `${now} declaration of '${name}' follows ${before} declaration`, [note]);
  }
  if (alignment !== null) symbol.alignment = Math.max(alignment, symbol.alignment ?? 1);
}

function initializeVariable(
  c: Checker,
  symbol: VariableSymbol,
  node: ast.Initializer,
  isExtern: boolean,
  declarator: ast.InitDeclarator,
): void {
  if (symbol.initializer !== null) {
    const note = { loc: symbol.loc, message: 'first definition' };
    error(c, declarator.loc, 'redeclared', `redefinition of '${symbol.name}'`, [note]);
    return;
  }
  if (isExtern) warn(c, declarator.loc, 'extern-initializer', `'${symbol.name}' initialized and declared 'extern'`);
  const mustBeConstant = symbol.duration !== 'automatic';
  const { initializer, type } = checkInitializer(c, symbol.type, node, { mustBeConstant }, declarator.loc);
  symbol.initializer = initializer;
  symbol.type = type;
}

/** An object needs a complete type where it is defined; at file scope, a later declaration may still complete it. */
function checkCompleteness(c: Checker, symbol: VariableSymbol, isDefinition: boolean, node: ast.InitDeclarator): void {
  const { type } = symbol;
  if (!isDefinition || type === errorType || isComplete(unqualified(type))) return;
  if (symbol.linkage !== 'none') return;
  if (type.kind === 'array' && node.initializer !== null) return;
  const what = type.kind === 'array' ? 'array size missing in' : 'storage size is not known of';
  error(c, node.loc, 'incomplete-type', `${what} '${symbol.name}'`);
}

/**
 * At the end of the file: tentative definitions of arrays without a length have one element, other types must be
 * complete.
 */
export function completeTentativeDefinitions(c: Checker): void {
  for (const symbol of c.external.values()) {
    if (symbol.kind !== 'variable-symbol' || !symbol.defined) continue;
    const { type } = symbol;
    if (type === errorType || isComplete(type)) continue;
    if (type.kind === 'array' && type.length === null && isComplete(type.element)) {
      warn(c, symbol.loc, 'tentative-array', `array '${symbol.name}' assumed to have one element`);
      symbol.type = { ...type, length: 1, alias: null };
    } else error(c, symbol.loc, 'incomplete-type', `storage size of '${symbol.name}' isn't known`);
  }
}

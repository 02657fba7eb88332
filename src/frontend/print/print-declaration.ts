/**
 * Declarations, at file scope and in blocks. Each gives a text without the closing semicolon, or null for nothing to
 * write.
 */

import type { DeclarationItem, FunctionDefinition, FunctionSymbol, VariableSymbol } from '../../program/tree.ts';
import type { EnumDeclaration, Type } from '../../program/types.ts';
import { assertNever, invariant } from '../../support/invariant.ts';
import type { PrintContext } from './context.ts';
import {
  type DeclaratorParts,
  printDeclarator,
  printTypeName,
  registerLengths,
  splitDeclarator,
} from './print-declarator.ts';
import { printVariableInitializer } from './print-initializer.ts';
import { printEnumDefinition, printRecordDefinition } from './print-tagged.ts';

/** What comes next in a list, past records that are written where they are mentioned. */
export function declarationAfter<T extends { readonly kind: string }>(
  items: readonly T[],
  at: number,
  toItem: (entry: T) => DeclarationItem | null,
): DeclarationItem | null {
  for (let next = at + 1; next < items.length; next++) {
    const item = toItem(items[next] as T);
    if (item?.kind !== 'record' || item.declaration.tag !== null) return item;
  }
  return null;
}

/** `following` is what comes next in the list: an enum without a tag is written there if it is mentioned there. */
export function printDeclarationItem(
  context: PrintContext,
  item: DeclarationItem,
  following: DeclarationItem | null,
): string | null {
  const { names } = context;
  switch (item.kind) {
    case 'record': {
      const { declaration } = item;
      if (names.tagOf(declaration) !== null) return printRecordDefinition(context, declaration);
      names.defer(declaration);
      return null;
    }
    case 'record-announcement': {
      const tag = names.tagOf(item.declaration);
      if (tag === null) return null;
      names.declareTag(item.declaration, tag);
      return `${item.declaration.isUnion ? 'union' : 'struct'} ${tag}`;
    }
    case 'enum':
      return printEnumItem(context, item.declaration, following);
    case 'typedef': {
      const { symbol } = item;
      const name = names.nameOf(symbol);
      const text = `typedef ${printDeclarator(context, symbol.type, name)}`;
      names.declare(symbol, name);
      registerTypedefName(context, item);
      return symbol.alignment === null ? text : `${text} __attribute__((aligned(${symbol.alignment})))`;
    }
    case 'variable': {
      const { specifiers, declarator } = splitVariable(context, item);
      return `${specifiers} ${declarator}`;
    }
    case 'function-prototype':
      return printPrototype(context, item.symbol);
    default:
      return assertNever(item);
  }
}

function registerTypedefName(context: PrintContext, { symbol }: Extract<DeclarationItem, { kind: 'typedef' }>): void {
  const { type } = symbol;
  if ((type.kind === 'record' || type.kind === 'enum') && type.qualifiers === 0) {
    context.names.addTypedefName(type.declaration, symbol);
  }
}

function printEnumItem(
  context: PrintContext,
  declaration: EnumDeclaration,
  following: DeclarationItem | null,
): string | null {
  if (context.names.isDefined(declaration)) return null;
  if (context.names.tagOf(declaration) === null && following !== null && mentions(following, declaration)) return null;
  return printEnumDefinition(context, declaration);
}

/** Whether writing the item writes out the enum: its type leads to it through nothing that has a name of its own. */
function mentions(item: DeclarationItem, declaration: EnumDeclaration): boolean {
  switch (item.kind) {
    case 'typedef':
    case 'variable':
      return leadsTo(item.symbol.type, declaration);
    case 'record':
      return item.declaration.tag !== null && fieldsLeadTo(item.declaration.fields ?? [], declaration);
    default:
      return false;
  }
}

function fieldsLeadTo(fields: readonly { readonly type: Type }[], declaration: EnumDeclaration): boolean {
  return fields.some((field) => leadsTo(field.type, declaration));
}

function leadsTo(type: Type, declaration: EnumDeclaration): boolean {
  let at = type;
  while (at.alias === null && (at.kind === 'pointer' || at.kind === 'array')) {
    at = at.kind === 'pointer' ? at.target : at.element;
  }
  if (at.alias !== null) return false;
  if (at.kind === 'enum') return at.declaration === declaration;
  if (at.kind !== 'record' || at.declaration.tag !== null) return false;
  return fieldsLeadTo(at.declaration.fields ?? [], declaration);
}

type VariableItem = Extract<DeclarationItem, { kind: 'variable' }>;

/** A variable's declaration; the initializer only where it is defined. The name is in scope in its own initializer. */
export function splitVariable(context: PrintContext, item: VariableItem): DeclaratorParts {
  const { symbol, isDefinition } = item;
  const parts = splitDeclared(context, symbol, printStorage(context, symbol, isDefinition));
  const bearsValue = isDefinition && (context.lastDefinitions.get(symbol) ?? item) === item;
  if (!bearsValue || symbol.initializer === null) return parts;
  return { ...parts, declarator: `${parts.declarator} = ${printVariableInitializer(context, symbol)}` };
}

/** Declares the name and writes what stands before the initializer. */
function splitDeclared(context: PrintContext, symbol: VariableSymbol, storage: string): DeclaratorParts {
  const { names } = context;
  const name = names.nameOf(symbol);
  const { specifiers, declarator } = splitDeclarator(context, symbol.type, name);
  names.declare(symbol, name);
  registerLengths(context, symbol);
  const alignment = symbol.alignment === null ? '' : ` __attribute__((aligned(${symbol.alignment})))`;
  const attributes = alignment + printCleanup(context, symbol);
  return { specifiers: storage + specifiers, declarator: declarator + attributes };
}

function printCleanup(context: PrintContext, { cleanup }: VariableSymbol): string {
  if (cleanup === null) return '';
  invariant(cleanup.callee.kind === 'function', 'a cleanup calls a function by its name');
  return ` __attribute__((cleanup(${context.names.nameOf(cleanup.callee.symbol)})))`;
}

function printStorage(context: PrintContext, symbol: VariableSymbol, isDefinition: boolean): string {
  const thread = symbol.duration === 'thread' ? '_Thread_local ' : '';
  if (symbol.linkage === 'none') return symbol.duration === 'automatic' ? '' : `static ${thread}`;
  if (symbol.linkage === 'internal' && context.names.depth === 0) return `static ${thread}`;
  return isDefinition ? thread : `extern ${thread}`;
}

/** In a block, `static` is not allowed, and the linkage is that of the declaration before. */
function printFunctionSpecifiers(context: PrintContext, symbol: FunctionSymbol): string {
  const words: string[] = [];
  if (symbol.linkage === 'internal' && context.names.depth === 0) words.push('static');
  // Without `extern`, an inline definition would be no definition for the linker.
  if (symbol.isInline) words.push(symbol.linkage === 'external' ? 'extern inline' : 'inline');
  if (symbol.isNoreturn) words.push('_Noreturn');
  return words.map((word) => `${word} `).join('');
}

function printPrototype(context: PrintContext, symbol: FunctionSymbol): string {
  const { names } = context;
  const name = names.nameOf(symbol);
  const type = printDeclarator(context, prototypeType(symbol), name);
  const specifiers = printFunctionSpecifiers(context, symbol);
  names.declare(symbol, name);
  return `${specifiers}${type}`;
}

/** A function defined the old way is printed with a prototype, so its announcements must have the same. */
function prototypeType(symbol: FunctionSymbol): Type {
  const { type, definition } = symbol;
  if (type.kind !== 'function' || !type.oldStyle || definition === null || definition.parameters.length === 0) {
    return type;
  }
  return { ...type, oldStyle: false, alias: null, parameters: definition.parameters.map((symbol) => symbol.type) };
}

/** What stands before the body. The caller has entered the scope of the parameters and the body. */
export function printFunctionHead(context: PrintContext, definition: FunctionDefinition): string {
  const { symbol } = definition;
  const { type } = symbol;
  invariant(type.kind === 'function', 'a function has a function type');
  const parameters = definition.parameters.map((parameter) => printParameter(context, parameter));
  if (type.variadic) parameters.push('...');
  if (parameters.length === 0 && !type.oldStyle) parameters.push('void');
  return printDeclarator(context, type.result, `${context.names.nameOf(symbol)}(${parameters.join(', ')})`);
}

function printParameter(context: PrintContext, symbol: VariableSymbol): string {
  if (symbol.name === '') return printTypeName(context, symbol.type);
  const { specifiers, declarator } = splitDeclared(context, symbol, '');
  return `${specifiers} ${declarator}`;
}

/** Specifiers of a function definition; they come before the head, which is printed inside the function's scope. */
export function printDefinitionSpecifiers(context: PrintContext, symbol: FunctionSymbol): string {
  context.names.declare(symbol, context.names.nameOf(symbol));
  return printFunctionSpecifiers(context, symbol);
}

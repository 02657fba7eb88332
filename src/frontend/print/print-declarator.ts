/**
 * Types in C's inside-out notation. `printDeclarator(type, 'x')` gives `int (*x)[3]`; with an empty name it gives a
 * type name for casts. A type is written through the typedef that the user used when that name leads to it here;
 * otherwise by its structure. Records and enums are mentioned by tag; one without a tag is written out at its first
 * mention.
 */

import { printQualifiers } from '../../program/print-type.ts';
import type { VariableSymbol } from '../../program/tree.ts';
import type { QualifierSet, Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import type { PrintContext } from './context.ts';
import { printExpressionAt } from './print-expression.ts';
import { printTagged } from './print-tagged.ts';
import { PRECEDENCE } from './rendered.ts';

/** A declaration cut in two: declarators with the same specifiers can share them. */
export interface DeclaratorParts {
  readonly specifiers: string;
  readonly declarator: string;
}

export function printDeclarator(context: PrintContext, type: Type, name: string): string {
  const { specifiers, declarator } = splitDeclarator(context, type, name);
  const space = declarator === '' || declarator.startsWith('[') ? '' : ' ';
  return `${specifiers}${space}${declarator}`;
}

/** A type name, as in a cast. */
export function printTypeName(context: PrintContext, type: Type): string {
  return printDeclarator(context, type, '');
}

export function splitDeclarator(context: PrintContext, type: Type, name: string): DeclaratorParts {
  let declarator = name;
  let isPointer = false;
  for (let at: Type = type; ; ) {
    const specifiers = printSpecifiers(context, at);
    if (specifiers !== null) return { specifiers, declarator };
    if (isPointer && at.kind !== 'pointer') declarator = `(${declarator})`;
    switch (at.kind) {
      case 'pointer': {
        const qualifiers = printQualifiers(at.qualifiers);
        const space = qualifiers !== '' && declarator !== '' ? ' ' : '';
        declarator = `*${qualifiers}${space}${declarator}`;
        isPointer = true;
        at = at.target;
        break;
      }
      case 'array':
        declarator = `${declarator}[${printLength(context, at.length)}]`;
        isPointer = false;
        at = at.element;
        break;
      case 'function':
        declarator = `${declarator}(${printParameterTypes(context, at)})`;
        isPointer = false;
        at = at.result;
        break;
      default:
        invariant(false, `a type without specifiers: ${at.kind}`);
    }
  }
}

/** What stands before the declarator, if the type can be named as it is; null if it must be taken apart. */
function printSpecifiers(context: PrintContext, type: Type): string | null {
  const alias = printAlias(context, type);
  if (alias !== null) return alias;
  switch (type.kind) {
    case 'pointer':
    case 'function':
      return null;
    case 'array':
      return printMeasuredType(context, type);
    case 'void':
      return qualify(type.qualifiers, 'void');
    case 'va-list':
      return qualify(type.qualifiers, '__builtin_va_list');
    case 'integer':
    case 'float':
      return qualify(type.qualifiers, type.name);
    case 'complex':
      return qualify(type.qualifiers, `${type.part} _Complex`);
    case 'record':
    case 'enum':
      return qualify(type.qualifiers, printTagged(context, type));
  }
}

/** The typedef's name with the qualifiers that were added to it, or null if the name would not give this type here. */
function printAlias(context: PrintContext, type: Type): string | null {
  const { alias } = type;
  if (alias === null || alias.type.kind !== type.kind || !context.names.isVisible(alias)) return null;
  if (type.kind === 'array' && alias.type.kind === 'array' && type.length !== alias.type.length) return null;
  const own = effectiveQualifiers(alias.type);
  const wanted = effectiveQualifiers(type);
  if ((own & ~wanted) !== 0) return null;
  return qualify(wanted & ~own, context.names.nameOf(alias));
}

/** Qualifiers of an array are those of its elements. */
function effectiveQualifiers(type: Type): QualifierSet {
  let at = type;
  let qualifiers = at.qualifiers;
  while (at.kind === 'array') {
    at = at.element;
    qualifiers |= at.qualifiers;
  }
  return qualifiers;
}

function qualify(qualifiers: QualifierSet, name: string): string {
  return qualifiers === 0 ? name : `${printQualifiers(qualifiers)} ${name}`;
}

type ArrayType = Extract<Type, { kind: 'array' }>;

/** A length that was already evaluated must not be evaluated again: the type is named by an object that has it. */
function printMeasuredType(context: PrintContext, type: ArrayType): string | null {
  const path = measuredPath(context, type);
  return path === null ? null : `__typeof__(${path})`;
}

/** An object in scope that has this variable-length type, or null. */
export function measuredPath(context: PrintContext, type: Type): string | null {
  if (type.kind !== 'array' || typeof type.length === 'number' || type.length === null) return null;
  return context.names.measured(type.length) ?? null;
}

/** Remembers which lengths are held by the type of a variable, to name them by it later. */
export function registerLengths(context: PrintContext, symbol: VariableSymbol): void {
  let path = context.names.nameOf(symbol);
  let type: Type = symbol.type;
  while (type.kind === 'array' || type.kind === 'pointer') {
    if (type.kind === 'array') {
      if (type.length !== null && typeof type.length !== 'number') context.names.addMeasured(type.length, path);
      path = path.startsWith('*') ? `(${path})[0]` : `${path}[0]`;
      type = type.element;
    } else {
      path = `*${path}`;
      type = type.target;
    }
  }
}

function printLength(context: PrintContext, length: ArrayType['length']): string {
  if (length === null) return '';
  if (typeof length === 'number') return String(length);
  if (context.prototypeDepth > 0) return '*';
  return printExpressionAt(context, length, PRECEDENCE.assignment);
}

type FunctionType = Extract<Type, { kind: 'function' }>;

function printParameterTypes(context: PrintContext, type: FunctionType): string {
  if (type.parameters.length === 0 && !type.variadic) return type.oldStyle ? '' : 'void';
  context.names.enter();
  context.prototypeDepth++;
  const parameters = type.parameters.map((parameter) => printTypeName(context, parameter));
  context.prototypeDepth--;
  context.names.leave();
  if (type.variadic) parameters.push('...');
  return parameters.join(', ');
}

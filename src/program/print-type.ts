/**
 * Types in C's own syntax: `printType(type, 'x')` gives the declaration of x without its semicolon, `printType(type)` a
 * type name. The text is built from the inside out along the declarator, without recursion but for parameters.
 *
 * A typedef name stands for its type where the user wrote one. Records and enums without a tag are named by the caller
 * (`options.recordName`, `options.enumName`), for C has no way to mention them. Lengths of variable-length arrays are
 * printed by the caller too (`options.expression`); without it they show as `[*]`.
 */

import type { Expression } from './tree.ts';
import {
  type ArrayType,
  type EnumDeclaration,
  type FunctionType,
  QUALIFIER_ATOMIC,
  QUALIFIER_CONST,
  QUALIFIER_RESTRICT,
  QUALIFIER_VOLATILE,
  type QualifierSet,
  type RecordDeclaration,
  type Type,
} from './types.ts';

export interface PrintTypeOptions {
  readonly recordName?: (declaration: RecordDeclaration) => string;
  readonly enumName?: (declaration: EnumDeclaration) => string;
  readonly expression?: (expression: Expression) => string;
  /** False: spell types out, through all typedefs. */
  readonly useAliases?: boolean;
  /** The names to print for the parameters of the outermost function type, as in the head of a definition. */
  readonly parameterNames?: readonly string[];
}

export function printType(type: Type, declarator = '', options: PrintTypeOptions = {}): string {
  let text = declarator;
  let at = type;
  let outermost = true;
  while (at.alias === null || options.useAliases === false) {
    if (at.kind === 'pointer') {
      const qualifiers = printQualifiers(at.qualifiers);
      const space = qualifiers !== '' && text !== '' && !text.startsWith('[') ? ' ' : '';
      text = `*${qualifiers}${space}${text}`;
      const target = at.target;
      const hidden = target.alias !== null && options.useAliases !== false;
      if ((target.kind === 'array' || target.kind === 'function') && !hidden) text = `(${text})`;
      at = target;
    } else if (at.kind === 'array') {
      text = `${text}[${printLength(at, options)}]`;
      at = at.element;
    } else if (at.kind === 'function') {
      text = `${text}(${printParameters(at, options, outermost ? options.parameterNames : undefined)})`;
      at = at.result;
    } else break;
    outermost = false;
  }
  const base = printBase(at, options);
  return text === '' ? base : `${base} ${text}`;
}

/** `const volatile _Atomic`, in that order, without spaces around. */
export function printQualifiers(qualifiers: QualifierSet): string {
  if (qualifiers === 0) return '';
  const words: string[] = [];
  if (qualifiers & QUALIFIER_CONST) words.push('const');
  if (qualifiers & QUALIFIER_VOLATILE) words.push('volatile');
  if (qualifiers & QUALIFIER_RESTRICT) words.push('restrict');
  if (qualifiers & QUALIFIER_ATOMIC) words.push('_Atomic');
  return words.join(' ');
}

function printBase(type: Type, options: PrintTypeOptions): string {
  const hidden = type.alias !== null && options.useAliases !== false;
  const known = hidden ? (type.alias?.type.qualifiers ?? 0) : 0;
  const qualifiers = printQualifiers(type.qualifiers & ~known);
  const name = hidden ? (type.alias?.name ?? '') : printUnqualifiedBase(type, options);
  return qualifiers === '' ? name : `${qualifiers} ${name}`;
}

function printUnqualifiedBase(type: Type, options: PrintTypeOptions): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'integer':
    case 'float':
      return type.name;
    case 'complex':
      return `${type.part} _Complex`;
    case 'va-list':
      return '__builtin_va_list';
    case 'record':
      return printRecordName(type.declaration, options);
    case 'enum':
      return options.enumName?.(type.declaration) ?? `enum ${type.declaration.tag ?? '<anonymous>'}`;
    default:
      return type.kind;
  }
}

function printRecordName(declaration: RecordDeclaration, options: PrintTypeOptions): string {
  const named = options.recordName?.(declaration);
  return named ?? `${declaration.isUnion ? 'union' : 'struct'} ${declaration.tag ?? '<anonymous>'}`;
}

function printLength(type: ArrayType, options: PrintTypeOptions): string {
  if (type.length === null) return '';
  if (typeof type.length === 'number') return String(type.length);
  if (type.length.kind === 'integer' && type.length.spelling === '*') return '*';
  return options.expression?.(type.length) ?? '*';
}

function printParameters(type: FunctionType, options: PrintTypeOptions, names?: readonly string[]): string {
  if (type.oldStyle) return '';
  if (type.parameters.length === 0) return type.variadic ? '...' : 'void';
  const inner = names === undefined ? options : { ...options, parameterNames: undefined };
  const parts = type.parameters.map((parameter, i) =>
    printType(parameter, names?.[i] ?? '', inner as PrintTypeOptions),
  );
  if (type.variadic) parts.push('...');
  return parts.join(', ');
}

/**
 * C types. Types are immutable values compared by structure (`sameType`), except that records and enums are nominal:
 * their declaration object carries the identity and is completed once. Qualifiers are part of the type object. `alias`
 * remembers the typedef through which the user named the type; only printing looks at it.
 *
 * Who owns it: the type checker alone creates and completes `RecordDeclaration`s and `EnumDeclaration`s.
 */

import type { Loc } from '../support/source.ts';
import type { Expression, TypedefSymbol } from './tree.ts';

/** A set of QUALIFIER_* bits. */
export type QualifierSet = number;
export const QUALIFIER_CONST = 1;
export const QUALIFIER_VOLATILE = 2;
export const QUALIFIER_RESTRICT = 4;
export const QUALIFIER_ATOMIC = 8;

export type IntegerName =
  | '_Bool'
  | 'char'
  | 'signed char'
  | 'unsigned char'
  | 'short'
  | 'unsigned short'
  | 'int'
  | 'unsigned int'
  | 'long'
  | 'unsigned long'
  | 'long long'
  | 'unsigned long long'
  | '__int128'
  | 'unsigned __int128';

export type FloatName =
  | 'float'
  | 'double'
  | 'long double'
  | '_Float16'
  | '_Float32'
  | '_Float64'
  | '_Float32x'
  | '_Float64x'
  | '_Float128';

interface TypeBase {
  readonly qualifiers: QualifierSet;
  readonly alias: TypedefSymbol | null;
}

export interface VoidType extends TypeBase {
  readonly kind: 'void';
}

export interface IntegerType extends TypeBase {
  readonly kind: 'integer';
  readonly name: IntegerName;
}

export interface FloatType extends TypeBase {
  readonly kind: 'float';
  readonly name: FloatName;
}

/** Parsed and laid out, so that headers pass; operations on it are refused. */
export interface ComplexType extends TypeBase {
  readonly kind: 'complex';
  readonly part: FloatName;
}

export interface EnumType extends TypeBase {
  readonly kind: 'enum';
  readonly declaration: EnumDeclaration;
}

export interface PointerType extends TypeBase {
  readonly kind: 'pointer';
  readonly target: Type;
}

export interface ArrayType extends TypeBase {
  readonly kind: 'array';
  readonly element: Type;
  /** null: incomplete `[]`; an expression: variable length, evaluated where the declaration is reached. */
  readonly length: number | Expression | null;
}

export interface FunctionType extends TypeBase {
  readonly kind: 'function';
  readonly result: Type;
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
  /** Declared `f()`: arguments are promoted, not checked. */
  readonly oldStyle: boolean;
}

export interface RecordType extends TypeBase {
  readonly kind: 'record';
  readonly declaration: RecordDeclaration;
}

/** `__builtin_va_list`. Its size and alignment follow the data model's ABI. */
export interface VaListType extends TypeBase {
  readonly kind: 'va-list';
}

export type Type =
  | VoidType
  | IntegerType
  | FloatType
  | ComplexType
  | EnumType
  | PointerType
  | ArrayType
  | FunctionType
  | RecordType
  | VaListType;

export interface Field {
  /** null for anonymous struct and union members (and for unnamed bit-fields, which are kept for printing). */
  readonly name: string | null;
  readonly type: Type;
  /** Bytes from the start of the record; for a bit-field, of its storage unit (of the size of its type). */
  readonly offset: number;
  /** For a bit-field: first bit within the storage unit (from the least significant) and number of bits. */
  readonly bits: { readonly offset: number; readonly width: number } | null;
  /** What `_Alignas` or an attribute asked for, or null; for printing. */
  readonly alignment: number | null;
  /** The member itself has the attribute `packed`; for printing. */
  readonly packed: boolean;
  readonly loc: Loc;
}

export interface RecordDeclaration {
  readonly id: number;
  readonly tag: string | null;
  readonly isUnion: boolean;
  readonly loc: Loc;
  /** null while incomplete. */
  fields: readonly Field[] | null;
  size: number;
  alignment: number;
  /** Attributes that matter for layout, for printing. */
  packed: boolean;
  requestedAlignment: number | null;
  /** The alignment that `#pragma pack` had set where it was defined, or null. */
  pack: number | null;
  /** GNU `transparent_union`: an argument of any member's type is accepted for a parameter of this type. */
  transparent: boolean;
}

export interface EnumDeclaration {
  readonly id: number;
  readonly tag: string | null;
  readonly loc: Loc;
  /** null while incomplete. */
  enumerators: readonly { readonly name: string; readonly value: bigint }[] | null;
  /** The integer type that represents it. */
  underlying: IntegerName;
}

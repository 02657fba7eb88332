/**
 * Operations on types: constructors, predicates, equality, compatibility and composite types (C 6.2.7), promotions.
 *
 * Types are immutable; the unqualified basic types are shared objects, so that a comparison of references often settles
 * equality. Qualifiers of an array are those of its elements: an array type's own set is always empty. All functions
 * that follow a type inwards loop along pointers, arrays and results, so that typedef chains of any length do no harm.
 */

import type { DataModel } from './data-model.ts';
import { integerNameOf, integerRank, integerWidth, isSignedName, unsignedName } from './integer-range.ts';
import type { Expression, TypedefSymbol } from './tree.ts';
import type {
  ArrayType,
  EnumDeclaration,
  EnumType,
  FloatName,
  FloatType,
  FunctionType,
  IntegerName,
  IntegerType,
  PointerType,
  QualifierSet,
  RecordDeclaration,
  RecordType,
  Type,
} from './types.ts';

// ---------------------------------------------------------------- constructors

const integerNames: readonly IntegerName[] = [
  '_Bool',
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned int',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '__int128',
  'unsigned __int128',
];
const floatNames: readonly FloatName[] = [
  'float',
  'double',
  'long double',
  '_Float16',
  '_Float32',
  '_Float64',
  '_Float32x',
  '_Float64x',
  '_Float128',
];
const integerTypes: ReadonlyMap<IntegerName, IntegerType> = new Map(
  integerNames.map((name) => [name, { kind: 'integer', name, qualifiers: 0, alias: null }]),
);
const floatTypes: ReadonlyMap<FloatName, FloatType> = new Map(
  floatNames.map((name) => [name, { kind: 'float', name, qualifiers: 0, alias: null }]),
);

export const voidType: Type = { kind: 'void', qualifiers: 0, alias: null };
export const vaListType: Type = { kind: 'va-list', qualifiers: 0, alias: null };

/** The unqualified type of that name; always the same object. */
export function integerType(name: IntegerName): IntegerType {
  return integerTypes.get(name) as IntegerType;
}

/** The unqualified type of that name; always the same object. */
export function floatType(name: FloatName): FloatType {
  return floatTypes.get(name) as FloatType;
}

export const intType: IntegerType = integerType('int');
export const charType: IntegerType = integerType('char');
export const doubleType: FloatType = floatType('double');

export function pointerTo(target: Type, qualifiers: QualifierSet = 0): PointerType {
  return { kind: 'pointer', target, qualifiers, alias: null };
}

export function arrayOf(element: Type, length: number | Expression | null): ArrayType {
  return { kind: 'array', element, length, qualifiers: 0, alias: null };
}

export function functionType(
  result: Type,
  parameters: readonly Type[],
  variadic = false,
  oldStyle = false,
): FunctionType {
  return { kind: 'function', result, parameters, variadic, oldStyle, qualifiers: 0, alias: null };
}

export function recordType(declaration: RecordDeclaration): RecordType {
  return { kind: 'record', declaration, qualifiers: 0, alias: null };
}

export function enumType(declaration: EnumDeclaration): EnumType {
  return { kind: 'enum', declaration, qualifiers: 0, alias: null };
}

export function sizeType(model: DataModel): IntegerType {
  return integerType(model === 'ILP32' ? 'unsigned int' : 'unsigned long');
}

export function pointerDifferenceType(model: DataModel): IntegerType {
  return integerType(model === 'ILP32' ? 'int' : 'long');
}

/** The type of `L'a'`: gcc's choice for Linux on i386 and x86-64. */
export function wideCharacterType(model: DataModel): IntegerType {
  return integerType(model === 'ILP32' ? 'long' : 'int');
}

// ---------------------------------------------------------------- qualifiers and aliases

/**
 * The type with exactly these qualifiers (an array's go to its elements). The alias stays if it still tells the truth.
 */
export function withExactQualifiers(type: Type, qualifiers: QualifierSet): Type {
  if (type.kind === 'array') {
    const element = withExactQualifiers(type.element, qualifiers);
    return element === type.element ? type : { ...type, element, alias: null };
  }
  if (type.qualifiers === qualifiers) return type;
  if (type.kind === 'integer' && qualifiers === 0 && type.alias === null) return integerType(type.name);
  const alias = type.alias && (type.alias.type.qualifiers & ~qualifiers) === 0 ? type.alias : null;
  return { ...type, qualifiers, alias };
}

/** The type with these qualifiers added. */
export function withQualifiers(type: Type, added: QualifierSet): Type {
  return added === 0 ? type : withExactQualifiers(type, qualifiersOf(type) | added);
}

export function unqualified(type: Type): Type {
  return type.qualifiers === 0 && type.kind !== 'array' ? type : withExactQualifiers(type, 0);
}

/** The qualifiers of an object of the type: those of the elements for an array. */
export function qualifiersOf(type: Type): QualifierSet {
  let at = type;
  while (at.kind === 'array') at = at.element;
  return at.qualifiers;
}

/** The same type, named through a typedef. */
export function withAlias(type: Type, alias: TypedefSymbol | null): Type {
  return type.alias === alias ? type : { ...type, alias };
}

// ---------------------------------------------------------------- predicates

export function isInteger(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'enum';
}

/** Integer or real floating type: what the operators accept (complex types are refused). */
export function isArithmetic(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'enum' || type.kind === 'float';
}

export function isScalar(type: Type): boolean {
  return isArithmetic(type) || type.kind === 'pointer';
}

export function isBool(type: Type): boolean {
  return type.kind === 'integer' && type.name === '_Bool';
}

/** `char`, `signed char` or `unsigned char`. */
export function isCharacter(type: Type): boolean {
  return type.kind === 'integer' && integerRank(type.name) === 1;
}

/** The size is known, now or at run time. A function type is not complete in this sense. */
export function isComplete(type: Type): boolean {
  let at = type;
  while (at.kind === 'array') {
    if (at.length === null) return false;
    at = at.element;
  }
  switch (at.kind) {
    case 'void':
    case 'function':
      return false;
    case 'record':
      return at.declaration.fields !== null;
    case 'enum':
      return at.declaration.enumerators !== null;
    default:
      return true;
  }
}

/** An array of a length that is known only at run time, or an array of such arrays: `sizeof` is no constant. */
export function hasVariableSize(type: Type): boolean {
  for (let at = type; at.kind === 'array'; at = at.element) {
    if (at.length !== null && typeof at.length !== 'number') return true;
  }
  return false;
}

/** Some length in the type is known only at run time, also behind pointers: `int (*p)[n]`. */
export function isVariablyModified(type: Type): boolean {
  let at = type;
  for (;;) {
    if (at.kind === 'array') {
      if (at.length !== null && typeof at.length !== 'number') return true;
      at = at.element;
    } else if (at.kind === 'pointer') at = at.target;
    else if (at.kind === 'function') at = at.result;
    else return false;
  }
}

// ---------------------------------------------------------------- equality and compatibility

/** The same type, qualifiers included, aliases left aside. */
export function sameType(left: Type, right: Type): boolean {
  return matches(left, right, { exactly: true, tagsMatch: isSame });
}

/**
 * C 6.2.7: two declarations of one thing may have these types. Structs, unions and enums are compatible with themselves
 * only, unless whoever asks knows of others (those of other files).
 */
export function compatible(left: Type, right: Type, tagsMatch: MatchRules['tagsMatch'] = isSame): boolean {
  return matches(left, right, { exactly: false, tagsMatch });
}

type TagDeclaration = RecordDeclaration | EnumDeclaration;

interface MatchRules {
  readonly exactly: boolean;
  readonly tagsMatch: (a: TagDeclaration, b: TagDeclaration) => boolean;
}

function isSame(a: TagDeclaration, b: TagDeclaration): boolean {
  return a === b;
}

function matches(left: Type, right: Type, rules: MatchRules): boolean {
  let a = left;
  let b = right;
  for (;;) {
    if (a === b) return true;
    if (a.qualifiers !== b.qualifiers) return false;
    if (a.kind === 'pointer' && b.kind === 'pointer') {
      a = a.target;
      b = b.target;
    } else if (a.kind === 'array' && b.kind === 'array') {
      if (!lengthsMatch(a, b, rules)) return false;
      a = a.element;
      b = b.element;
    } else if (a.kind === 'function' && b.kind === 'function') {
      if (!parametersMatch(a, b, rules)) return false;
      a = a.result;
      b = b.result;
    } else {
      return leavesMatch(a, b, rules);
    }
  }
}

function lengthsMatch(a: ArrayType, b: ArrayType, { exactly }: MatchRules): boolean {
  if (a.length === b.length) return true;
  if (typeof a.length === 'number' && typeof b.length === 'number') return false;
  return !exactly || (a.length !== null && b.length !== null && typeof a.length === typeof b.length);
}

function parametersMatch(a: FunctionType, b: FunctionType, rules: MatchRules): boolean {
  if (a.oldStyle || b.oldStyle) {
    if (rules.exactly) return a.oldStyle === b.oldStyle;
    return [a, b].every((side) => side.oldStyle || (!side.variadic && side.parameters.every(surviveDefaultPromotion)));
  }
  if (a.variadic !== b.variadic || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((parameter, i) =>
    matches(unqualified(parameter), unqualified(b.parameters[i] as Type), rules),
  );
}

/** Whether an argument of this type is passed as it is to a function without a prototype. */
function surviveDefaultPromotion(type: Type): boolean {
  if (type.kind === 'float') return type.name !== 'float';
  return type.kind !== 'integer' || integerRank(type.name) >= integerRank('int');
}

function leavesMatch(a: Type, b: Type, { exactly, tagsMatch }: MatchRules): boolean {
  if (a.kind === 'enum' || b.kind === 'enum') {
    if (a.kind === 'enum' && b.kind === 'enum') return tagsMatch(a.declaration, b.declaration);
    return !exactly && isInteger(a) && isInteger(b) && integerNameOf(a) === integerNameOf(b);
  }
  if (a.kind === 'integer') return b.kind === 'integer' && a.name === b.name;
  if (a.kind === 'float') return b.kind === 'float' && a.name === b.name;
  if (a.kind === 'complex') return b.kind === 'complex' && a.part === b.part;
  if (a.kind === 'record') return b.kind === 'record' && tagsMatch(a.declaration, b.declaration);
  return a.kind === b.kind;
}

/**
 * The composite of two compatible types: all that is known from either. The alias of the first is kept where it can be.
 */
export function compositeType(a: Type, b: Type): Type {
  if (a === b) return a;
  if (a.kind === 'array' && b.kind === 'array') {
    const element = compositeType(a.element, b.element);
    const length =
      typeof a.length === 'number'
        ? a.length
        : ((typeof b.length === 'number' ? b.length : null) ?? a.length ?? b.length);
    return element === a.element && length === a.length ? a : { ...a, element, length, alias: null };
  }
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    const target = compositeType(a.target, b.target);
    return target === a.target ? a : { ...a, target, alias: null };
  }
  if (a.kind === 'function' && b.kind === 'function') {
    const result = compositeType(a.result, b.result);
    if (a.oldStyle) return { ...b, result, alias: null };
    if (b.oldStyle) return result === a.result ? a : { ...a, result, alias: null };
    const parameters = a.parameters.map((parameter, i) => compositeType(parameter, b.parameters[i] ?? parameter));
    const unchanged = result === a.result && parameters.every((parameter, i) => parameter === a.parameters[i]);
    return unchanged ? a : { ...a, result, parameters, alias: null };
  }
  return a;
}

// ---------------------------------------------------------------- promotions

/**
 * The integer promotions (C 6.3.1.1) of an unqualified or qualified type; other types are only stripped of qualifiers.
 */
export function promoted(type: Type): Type {
  if (type.kind === 'integer') {
    return integerRank(type.name) < integerRank('int') ? intType : unqualified(type);
  }
  if (type.kind === 'enum') {
    const name = type.declaration.underlying;
    return integerRank(name) < integerRank('int') ? intType : integerType(name);
  }
  return unqualified(type);
}

/** The default argument promotions: for arguments without a parameter. */
export function defaultPromoted(type: Type): Type {
  if (type.kind === 'float' && type.name === 'float') return doubleType;
  return promoted(type);
}

const floatRanks: Readonly<Record<FloatName, number>> = {
  _Float16: 0,
  float: 1,
  _Float32: 2,
  double: 3,
  _Float32x: 4,
  _Float64: 5,
  'long double': 6,
  _Float64x: 7,
  _Float128: 8,
};

/** The usual arithmetic conversions (C 6.3.1.8) of two arithmetic types. */
export function commonType(left: Type, right: Type, model: DataModel): Type {
  if (left.kind === 'float' || right.kind === 'float') {
    if (left.kind !== 'float') return unqualified(right);
    if (right.kind !== 'float') return unqualified(left);
    return unqualified(floatRanks[left.name] >= floatRanks[right.name] ? left : right);
  }
  const a = promoted(left);
  const b = promoted(right);
  const nameA = integerNameOf(a);
  const nameB = integerNameOf(b);
  if (nameA === nameB) return a.alias === b.alias ? a : integerType(nameA);
  return integerType(commonIntegerName(nameA, nameB, model));
}

function commonIntegerName(a: IntegerName, b: IntegerName, model: DataModel): IntegerName {
  const higher = integerRank(a) >= integerRank(b) ? a : b;
  const lower = higher === a ? b : a;
  if (isSignedName(a) === isSignedName(b)) return higher;
  if (integerRank(a) === integerRank(b)) return unsignedName(higher);
  if (!isSignedName(higher)) return higher;
  return integerWidth(higher, model) > integerWidth(lower, model) ? higher : unsignedName(higher);
}

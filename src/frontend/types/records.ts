/**
 * Structures, unions and enumerations: their tags, their members and where these lie, their constants. A declaration
 * object is made when a tag is first mentioned and completed once, when its members or enumerators are read.
 */

import { fitsInteger, integerNameOf, integerWidth, wrapInteger } from '../../program/integer-range.ts';
import { layoutRecord, type MemberToPlace } from '../../program/layout.ts';
import {
  enumType,
  hasVariableSize,
  integerType,
  intType,
  isComplete,
  isInteger,
  recordType,
} from '../../program/type-operations.ts';
import type { EnumDeclaration, IntegerName, RecordDeclaration, Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type * as ast from '../parse/ast.ts';
import { readAttributes } from './attributes.ts';
import { type Checker, emit, error, errorType, show, warn } from './checker.ts';
import { ignoreCleanup } from './cleanups.ts';
import { checkStaticAssertion } from './declarations.ts';
import { applyDeclarator, requestedAlignment, typeOfSpecifiers } from './declared-types.ts';
import { checkIntegerConstant } from './expressions.ts';
import { bind, bindTag, lookUpTag } from './scope.ts';

// ---------------------------------------------------------------- structures and unions

/** The type that `struct s`, `struct s {…}` or, with `announces`, `struct s;` names. */
export function checkRecordSpecifier(c: Checker, specifier: ast.RecordSpecifier, announces: boolean): Type {
  const isUnion = specifier.kind === 'union';
  if (specifier.members === null) return mentionRecord(c, specifier, isUnion, announces);
  const declaration = declarationToComplete(c, specifier, isUnion);
  if (declaration === null) return errorType;
  completeRecord(c, declaration, specifier, specifier.members);
  emit(c, { kind: 'record', declaration, loc: specifier.loc });
  return recordType(declaration);
}

function mentionRecord(c: Checker, specifier: ast.RecordSpecifier, isUnion: boolean, announces: boolean): Type {
  const tag = specifier.tag ?? '';
  const known = announces ? (c.scope.tags?.get(tag) ?? null) : lookUpTag(c.scope, tag);
  if (known !== null) {
    if (known.kind === 'record' && known.declaration.isUnion === isUnion) {
      if (announces) emit(c, { kind: 'record-announcement', declaration: known.declaration, loc: specifier.loc });
      return recordType(known.declaration);
    }
    error(c, specifier.loc, 'redeclared', `'${tag}' defined as wrong kind of tag`);
    return errorType;
  }
  const declaration = createRecord(c, specifier.tag, isUnion, specifier.loc);
  bindTag(c.scope, tag, { kind: 'record', declaration });
  if (c.scope.kind === 'prototype') {
    const message = `'${specifier.kind} ${tag}' declared inside parameter list will not be visible outside of it`;
    warn(c, specifier.loc, 'parameter-tag', message);
  }
  if (announces) emit(c, { kind: 'record-announcement', declaration, loc: specifier.loc });
  return recordType(declaration);
}

function createRecord(c: Checker, tag: string | null, isUnion: boolean, loc: Loc): RecordDeclaration {
  return {
    id: c.nextId++,
    tag,
    isUnion,
    loc,
    fields: null,
    size: 0,
    alignment: 1,
    packed: false,
    requestedAlignment: null,
    pack: null,
    transparent: false,
  };
}

function declarationToComplete(c: Checker, specifier: ast.RecordSpecifier, isUnion: boolean): RecordDeclaration | null {
  const { tag, loc } = specifier;
  if (tag === null) return createRecord(c, null, isUnion, loc);
  const known = c.scope.tags?.get(tag);
  if (known === undefined) {
    const declaration = createRecord(c, tag, isUnion, loc);
    bindTag(c.scope, tag, { kind: 'record', declaration });
    return declaration;
  }
  if (known.kind !== 'record' || known.declaration.isUnion !== isUnion) {
    error(c, loc, 'redeclared', `'${tag}' defined as wrong kind of tag`);
    return null;
  }
  if (known.declaration.fields !== null) {
    const note = { loc: known.declaration.loc, message: 'first defined here' };
    error(c, loc, 'redeclared', `redefinition of '${isUnion ? 'union' : 'struct'} ${tag}'`, [note]);
    return null;
  }
  return known.declaration;
}

function completeRecord(
  c: Checker,
  declaration: RecordDeclaration,
  specifier: ast.RecordSpecifier,
  members: readonly ast.MemberDeclaration[],
): void {
  const attributes = readAttributes(c, specifier.attributes);
  ignoreCleanup(c, attributes);
  const toPlace: MemberToPlace[] = [];
  for (const member of members) {
    if (member.kind === 'static-assert') checkStaticAssertion(c, member);
    else checkMembers(c, member, toPlace);
  }
  checkFlexibleMember(c, declaration, toPlace);
  if (declaration.fields !== null) {
    error(c, specifier.loc, 'redeclared', 'a structure is defined inside itself');
    return;
  }
  const { pack } = specifier;
  const { packed, alignment, transparentUnion } = attributes;
  const options = { isUnion: declaration.isUnion, packed, requestedAlignment: alignment, pack };
  const layout = layoutRecord(toPlace, options, c.model);
  declaration.fields = layout.fields;
  declaration.size = layout.size;
  declaration.alignment = layout.alignment;
  declaration.packed = packed;
  declaration.requestedAlignment = alignment;
  declaration.pack = pack;
  declaration.transparent = transparentUnion;
  checkDuplicates(c, declaration);
  const limit = c.model === 'ILP32' ? 0x7fffffff : Number.MAX_SAFE_INTEGER;
  if (layout.size > limit)
    error(c, specifier.loc, 'invalid-size', `size of ${show(recordType(declaration))} is too large`);
}

function checkMembers(c: Checker, member: ast.MemberDeclaration & { kind: 'members' }, toPlace: MemberToPlace[]): void {
  const { specifiers } = member;
  const isAlone = member.declarators.length === 0;
  const base = typeOfSpecifiers(c, specifiers);
  if (isAlone) {
    const anonymous = base.kind === 'record' && isAnonymousMember(specifiers);
    if (!anonymous) {
      if (base !== errorType) warn(c, member.loc, 'declaration', 'declaration does not declare anything');
      return;
    }
    const { packed, alignment } = readAttributes(c, specifiers.attributes);
    const requested = requestedAlignment(c, specifiers, alignment);
    toPlace.push({ name: null, type: base, bitWidth: null, alignment: requested, packed, loc: member.loc });
    return;
  }
  for (const declarator of member.declarators)
    checkMemberDeclarator(c, base, specifiers, declarator, member.loc, toPlace);
}

/** `struct { … };` inside a record; with a tag it only declares the tag (-fms-extensions aside). */
function isAnonymousMember(specifiers: ast.Specifiers): boolean {
  const { type } = specifiers;
  return (type.kind === 'struct' || type.kind === 'union') && type.tag === null;
}

function checkMemberDeclarator(
  c: Checker,
  base: Type,
  specifiers: ast.Specifiers,
  node: ast.MemberDeclarator,
  memberLoc: Loc,
  toPlace: MemberToPlace[],
): void {
  const declared = node.declarator === null ? null : applyDeclarator(c, base, node.declarator);
  const name = declared?.name ?? null;
  const loc = declared?.loc ?? memberLoc;
  const type = declared?.type ?? base;
  if (type === errorType) return;
  const attributes = readAttributes(c, specifiers.attributes, declared?.attributes ?? [], node.attributes);
  ignoreCleanup(c, attributes);
  const alignment = requestedAlignment(c, specifiers, attributes.alignment);
  const { packed } = attributes;
  if (node.bitWidth !== null) {
    const bitWidth = checkBitWidth(c, type, node.bitWidth, name, loc);
    if (bitWidth !== null) toPlace.push({ name, type, bitWidth, alignment, packed, loc });
    return;
  }
  if (type.kind === 'function') {
    error(c, loc, 'type-mismatch', `field '${name}' declared as a function`);
  } else if (!isComplete(type) && !(type.kind === 'array' && type.length === null)) {
    error(c, loc, 'incomplete-type', `field '${name}' has incomplete type ${show(type)}`);
  } else if (hasVariableSize(type)) {
    error(c, loc, 'unsupported', `field '${name}' of variable size is not supported`);
  } else toPlace.push({ name, type, bitWidth: null, alignment, packed, loc });
}

function checkBitWidth(c: Checker, type: Type, e: ast.Expression, name: string | null, loc: Loc): number | null {
  const what = name === null ? 'unnamed bit-field' : `bit-field '${name}'`;
  if (!isInteger(type)) {
    error(c, loc, 'type-mismatch', `${what} has invalid type ${show(type)}`);
    return null;
  }
  const width = checkIntegerConstant(c, e, `the width of ${what}`);
  if (width === null) return null;
  if (width < 0n) error(c, loc, 'invalid-size', `negative width in ${what}`);
  else if (width > BigInt(bitFieldLimit(c, type)))
    error(c, loc, 'invalid-size', `the width of ${what} exceeds its type`);
  else if (width === 0n && name !== null) error(c, loc, 'invalid-size', `zero width for ${what}`);
  else return Number(width);
  return null;
}

function bitFieldLimit(c: Checker, type: Type): number {
  return integerWidth(integerNameOf(type), c.model);
}

function checkFlexibleMember(c: Checker, declaration: RecordDeclaration, members: readonly MemberToPlace[]): void {
  members.forEach((member, i) => {
    if (member.type.kind !== 'array' || member.type.length !== null) return;
    if (declaration.isUnion) error(c, member.loc, 'incomplete-type', 'flexible array member in union');
    else if (i !== members.length - 1)
      error(c, member.loc, 'incomplete-type', 'flexible array member not at end of struct');
    else if (members.length === 1)
      error(c, member.loc, 'incomplete-type', 'flexible array member in otherwise empty struct');
  });
}

function checkDuplicates(c: Checker, declaration: RecordDeclaration): void {
  const seen = new Set<string>();
  const visit = (fields: RecordDeclaration['fields']): void => {
    for (const field of fields ?? []) {
      if (field.name === null) {
        if (field.type.kind === 'record') visit(field.type.declaration.fields);
      } else if (seen.has(field.name)) error(c, field.loc, 'redeclared', `duplicate member '${field.name}'`);
      else seen.add(field.name);
    }
  };
  visit(declaration.fields);
}

// ---------------------------------------------------------------- enumerations

export function checkEnumSpecifier(c: Checker, specifier: ast.EnumSpecifier): Type {
  const { tag, loc } = specifier;
  const known =
    tag === null ? null : specifier.enumerators ? (c.scope.tags?.get(tag) ?? null) : lookUpTag(c.scope, tag);
  if (known !== null && known.kind !== 'enum') {
    error(c, loc, 'redeclared', `'${tag}' defined as wrong kind of tag`);
    return errorType;
  }
  const declaration: EnumDeclaration = known?.declaration ?? {
    id: c.nextId++,
    tag,
    loc,
    enumerators: null,
    underlying: 'unsigned int',
  };
  if (known === null && tag !== null) bindTag(c.scope, tag, { kind: 'enum', declaration });
  if (specifier.enumerators !== null) {
    if (declaration.enumerators !== null) {
      const note = { loc: declaration.loc, message: 'first defined here' };
      error(c, loc, 'redeclared', `redeclaration of 'enum ${tag}'`, [note]);
      return errorType;
    }
    completeEnum(c, declaration, specifier, specifier.enumerators);
    emit(c, { kind: 'enum', declaration, loc });
  }
  return enumType(declaration);
}

/**
 * gcc's rules: a constant has type int where it fits, and the enum's type (the narrowest of unsigned int, int, unsigned
 * long, long … that holds all values) is chosen at the end; constants beyond int then take that type.
 */
function completeEnum(
  c: Checker,
  declaration: EnumDeclaration,
  specifier: ast.EnumSpecifier,
  enumerators: readonly ast.Enumerator[],
): void {
  const list: { name: string; value: bigint }[] = [];
  const locs: Loc[] = [];
  let next = 0n;
  for (const enumerator of enumerators) {
    const { name, loc } = enumerator;
    if (enumerator.value === null) {
      if (next === 1n << 31n) error(c, loc, 'overflow', 'overflow in enumeration values');
    } else {
      next = checkIntegerConstant(c, enumerator.value, `the value of enumerator '${name}'`) ?? next;
    }
    if (next >= 1n << 64n) error(c, loc, 'overflow', 'overflow in enumeration values');
    const previous = c.scope.ordinary?.get(name);
    if (previous !== undefined) {
      error(c, loc, 'redeclared', `redeclaration of '${name}'`, [
        { loc: previous.loc, message: 'previous declaration' },
      ]);
    }
    const type = fitsInteger(next, 'int', c.model) ? intType : provisionalType(next);
    bind(c.scope, name, { kind: 'enumerator', name, value: next, type, loc });
    list.push({ name, value: next });
    locs.push(loc);
    next += 1n;
  }
  declaration.underlying = underlyingName(c, list, readAttributes(c, specifier.attributes).packed);
  declaration.enumerators = list;
  list.forEach(({ name, value }, i) => {
    if (fitsInteger(value, 'int', c.model)) return;
    const type = integerType(declaration.underlying);
    const wrapped = wrapInteger(value, declaration.underlying, c.model);
    bind(c.scope, name, { kind: 'enumerator', name, value: wrapped, type, loc: locs[i] as Loc });
  });
}

/** The type of a large constant inside the enumerator list itself. */
function provisionalType(value: bigint): Type {
  if (value > 0x7fff_ffff_ffff_ffffn) return integerType('unsigned long long');
  return integerType(value >= 0n && value <= 0xffff_ffffn ? 'unsigned int' : 'long long');
}

function underlyingName(c: Checker, list: readonly { value: bigint }[], packed: boolean): IntegerName {
  let least = 0n;
  let greatest = 0n;
  for (const { value } of list) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const small: readonly IntegerName[] = ['unsigned char', 'signed char', 'unsigned short', 'short'];
  const usual: readonly IntegerName[] = [
    'unsigned int',
    'int',
    'unsigned long',
    'long',
    'unsigned long long',
    'long long',
  ];
  const candidates = packed ? [...small, ...usual] : usual;
  const found = candidates.find((name) => fitsInteger(least, name, c.model) && fitsInteger(greatest, name, c.model));
  return found ?? 'long long';
}

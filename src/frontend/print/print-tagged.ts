/**
 * Structs, unions and enums: their mention and their definition. One with a tag is defined where the tree lists it and
 * mentioned by its tag. One without is written out at its first mention, usually a typedef or a variable that follows
 * at once; if it is mentioned again and no typedef names it, the name table asks for a tag.
 */

import type { EnumDeclaration, Field, RecordDeclaration, Type } from '../../program/types.ts';
import { invariant } from '../../support/invariant.ts';
import { indent, type PrintContext } from './context.ts';
import { printDeclarator } from './print-declarator.ts';
import { renderAnyInteger } from './print-literal.ts';
import { PRECEDENCE, parenthesize } from './rendered.ts';

type TaggedType = Extract<Type, { kind: 'record' | 'enum' }>;

/** The specifier that mentions a record or enum; the definition if this must be it. */
export function printTagged(context: PrintContext, type: TaggedType): string {
  const { names } = context;
  const { declaration } = type;
  const tag = names.tagOf(declaration);
  if (tag !== null) return printTagMention(context, type, tag);
  if (names.isDefined(declaration) || names.isOpen) {
    const typedefName = names.typedefNameOf(declaration);
    if (typedefName !== null) return typedefName;
    names.needTag(declaration);
    return `${keywordOf(type)} <unnamed>`;
  }
  return printDefinition(context, type);
}

export function keywordOf(type: TaggedType): 'struct' | 'union' | 'enum' {
  return type.kind === 'enum' ? 'enum' : type.declaration.isUnion ? 'union' : 'struct';
}

/** A tag first mentioned among parameters or in an inner scope would be another type: it is announced before. */
function printTagMention(context: PrintContext, type: TaggedType, tag: string): string {
  const { names } = context;
  const mention = `${keywordOf(type)} ${tag}`;
  if (names.isTagKnown(type.declaration, tag)) return mention;
  if (type.kind === 'enum') return type.declaration.enumerators === null ? mention : printDefinition(context, type);
  if (context.prototypeDepth > 0) context.announcements.push(`${mention};`);
  names.declareTag(type.declaration, tag);
  return mention;
}

/** `struct tag { … }` with its attributes, without what it declares. */
export function printDefinition(context: PrintContext, type: TaggedType): string {
  return type.kind === 'record'
    ? printRecordDefinition(context, type.declaration)
    : printEnumDefinition(context, type.declaration);
}

export function printRecordDefinition(context: PrintContext, record: RecordDeclaration): string {
  const { names } = context;
  const tag = names.tagOf(record);
  if (tag !== null) names.declareTag(record, tag);
  names.define(record);
  openPack(context, record.pack);
  const head = `${record.isUnion ? 'union' : 'struct'}${tag === null ? '' : ` ${tag}`}`;
  invariant(record.fields !== null, 'an incomplete record is listed as a definition');
  const fields = record.fields.map((field) => `${printField(context, field)};\n`).join('');
  const suffix = printAttributes(record.packed, record.requestedAlignment, record.transparent);
  return `${head} {\n${indent(fields)}}${suffix}`;
}

function printField(context: PrintContext, field: Field): string {
  const declarator = printDeclarator(context, context.fieldTypes.get(field) ?? field.type, field.name ?? '');
  const bits = field.bits === null ? '' : ` : ${field.bits.width}`;
  return `${declarator}${bits}${printAttributes(field.packed, field.alignment, false)}`;
}

/** The attributes that change a layout, with a space before; empty for none. */
function printAttributes(packed: boolean, alignment: number | null, transparent: boolean): string {
  const attributes: string[] = [];
  if (packed) attributes.push('packed');
  if (alignment !== null) attributes.push(`aligned(${alignment})`);
  if (transparent) attributes.push('transparent_union');
  return attributes.length === 0 ? '' : ` __attribute__((${attributes.join(', ')}))`;
}

/** `#pragma pack` cannot stand inside a declaration, so it is written around the one that holds the record. */
function openPack(context: PrintContext, pack: number | null): void {
  if (pack === null || context.after.length > 0) return;
  context.announcements.push(`#pragma pack(push, ${pack})`);
  context.after.push('#pragma pack(pop)');
}

export function printEnumDefinition(context: PrintContext, declaration: EnumDeclaration): string {
  const { names } = context;
  const tag = names.tagOf(declaration);
  if (tag !== null) names.declareTag(declaration, tag);
  names.define(declaration);
  invariant(declaration.enumerators !== null, 'an incomplete enum is listed as a definition');
  let next = 0n;
  const items = declaration.enumerators.map(({ name, value }) => {
    names.declare(declaration, name);
    const isImplied = value === next;
    next = value + 1n;
    return isImplied ? name : `${name} = ${parenthesize(renderAnyInteger(value), PRECEDENCE.conditional)}`;
  });
  const packed = /char|short/.test(declaration.underlying) ? '__attribute__((packed)) ' : '';
  const head = `enum ${packed}${tag === null ? '' : `${tag} `}`;
  const flat = `${head}{ ${items.join(', ')} }`;
  return flat.length <= 100 ? flat : `${head}{\n${indent(items.map((item) => `${item},\n`).join(''))}}`;
}

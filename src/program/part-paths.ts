/**
 * The way from an object to a part of it, as C spells it: `.array[1].next` for an offset into a type. What bytes denote
 * depends on who asks. An access means the smallest part that holds its bytes. An address means the part that has the
 * type of the pointer's target: `&s`, `&s.b` and `&s.b[0]` are one number. Members of a union are told apart by what
 * fits the access exactly, else the first is taken.
 */

import type { DataModel } from './data-model.ts';
import { sizeOf } from './layout.ts';
import type { Field, RecordDeclaration, Type } from './types.ts';

export interface Part {
  readonly path: string;
  readonly type: Type;
  /** How far into the part the bytes start; not 0 where no member fits. */
  readonly rest: number;
  /** Of an access to bit-fields: those that lie in the bytes, and where they start, in bits from the first byte. */
  readonly bitFields: readonly BitField[];
}

export interface BitField {
  readonly path: string;
  readonly start: number;
  readonly width: number;
  readonly type: Type;
}

/** The smallest part that holds `size` bytes at an offset. */
export function partAt(type: Type, offset: number, size: number, model: DataModel): Part {
  return partsAround(type, offset, size, model).at(-1) as Part;
}

/** Whether bytes that start `rest` bytes into a part lie between its members. */
export function isPadding({ type, rest }: Part, size: number, model: DataModel): boolean {
  if (type.kind !== 'record' || rest + size > sizeOf(type, model)) return false;
  const overlaps = (field: Field) => field.offset < rest + size && rest < field.offset + sizeOfPart(field.type, model);
  return !(type.declaration.fields ?? []).some((field) => overlaps(field) || isFlexible(field));
}

/** What a pointer to `target` (null or void: anything) at an offset points to. */
export function partPointedTo(type: Type, offset: number, target: Type | null, model: DataModel): Part {
  const isAny = target === null || target.kind === 'void';
  const parts = partsAround(type, offset, isAny ? 1 : Math.max(sizeOfPart(target, model), 1), model);
  const starting = parts.filter(({ rest }) => rest === 0);
  const fitting = isAny ? undefined : starting.find((part) => isLike(part.type, target, model));
  return fitting ?? starting[0] ?? (parts.at(-1) as Part);
}

/** Near enough to tell the parts apart that start at the same address. */
function isLike(type: Type, target: Type, model: DataModel): boolean {
  if (type.kind === 'record' && target.kind === 'record') return type.declaration === target.declaration;
  return type.kind === target.kind && sizeOfPart(type, model) === sizeOfPart(target, model);
}

/** The bytes of the largest array that the byte at an offset is in; null where it is in none of known length. */
export function arrayAround(type: Type, offset: number, model: DataModel): { low: number; size: number } | null {
  const array = partsAround(type, offset, 1, model).find((part) => part.type.kind === 'array');
  const size = array ? sizeOfPart(array.type, model) : 0;
  return array && size > array.rest ? { low: offset - array.rest, size } : null;
}

/** All parts around the bytes, from the whole object to the smallest. */
function partsAround(type: Type, offset: number, size: number, model: DataModel): Part[] {
  const parts: Part[] = [];
  for (
    let part: Part | null = { path: '', type, rest: offset, bitFields: [] };
    part;
    part = innerPart(part, size, model)
  ) {
    parts.push(part);
  }
  return parts;
}

function innerPart({ path, type, rest }: Part, size: number, model: DataModel): Part | null {
  if (type.kind === 'array') {
    const stride = sizeOfPart(type.element, model);
    if (stride === 0 || (rest % stride) + size > stride) return null;
    const index = Math.floor(rest / stride);
    return { path: `${path}[${index}]`, type: type.element, rest: rest % stride, bitFields: [] };
  }
  if (type.kind !== 'record') return null;
  const field = fieldAt(type.declaration, rest, size, model);
  if (!field) return null;
  const bitFields = field.bits === null ? [] : bitFieldsIn(type.declaration, path, rest, size);
  return { path: path + spell(field), type: field.type, rest: rest - field.offset, bitFields };
}

/** An anonymous member is passed over. */
function spell({ name }: Field): string {
  return name === null ? '' : `.${name}`;
}

/** The size of a type; 0 for an array of a length that is not constant. */
function sizeOfPart(type: Type, model: DataModel): number {
  return type.kind === 'array' && typeof type.length !== 'number' ? 0 : sizeOf(type, model);
}

function fieldAt(record: RecordDeclaration, offset: number, size: number, model: DataModel): Field | undefined {
  const holding = (record.fields ?? []).filter((field) => {
    const end = isFlexible(field) ? Number.POSITIVE_INFINITY : field.offset + sizeOfPart(field.type, model);
    return offset >= field.offset && offset + size <= end;
  });
  if (!record.isUnion) return holding[0];
  const fits = (field: Field) => {
    const { type, rest } = partAt(field.type, offset - field.offset, size, model);
    return rest === 0 && sizeOfPart(type, model) === size;
  };
  return holding.find(fits) ?? holding[0];
}

/** `int values[];` or `int values[0];` at the end of a record. */
export function isFlexible({ type }: Field): boolean {
  return type.kind === 'array' && (type.length === null || type.length === 0);
}

function bitFieldsIn(record: RecordDeclaration, path: string, offset: number, size: number): BitField[] {
  return (record.fields ?? []).flatMap((field) => {
    if (field.bits === null || field.name === null) return [];
    const start = (field.offset - offset) * 8 + field.bits.offset;
    const { width } = field.bits;
    const isInside = start >= 0 && start + width <= size * 8;
    return isInside ? [{ path: path + spell(field), start, width, type: field.type }] : [];
  });
}

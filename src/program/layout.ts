/**
 * Sizes, alignments and offsets, as gcc lays things out for Linux on i386 (ILP32) and x86-64 (LP64), after the System V
 * ABI. What follows from it here:
 * - On i386, `double`, `long long` and their like are aligned to 4 bytes (in records and for `_Alignof`), unless
 *   atomic.
 * - A bit-field may not cross more boundaries of its type's alignment than its type would; under `packed` or
 *   `#pragma pack` it may. Unnamed bit-fields do not raise the record's alignment; one of width 0 closes the unit.
 * - `packed` drops the alignment of members to 1, an explicit `aligned` on a member wins over it, `#pragma pack` caps
 *   both.
 * - An atomic object of 1, 2, 4, 8 or 16 bytes is aligned to its size.
 *
 * Sizes are numbers of bytes, exact up to 2^53; the checker refuses objects beyond the address space before it gets
 * here.
 */

import { InvariantError } from '../support/invariant.ts';
import type { Loc } from '../support/source.ts';
import { type DataModel, wordSize } from './data-model.ts';
import { integerSize } from './integer-range.ts';
import { type Field, type FloatName, QUALIFIER_ATOMIC, type Type } from './types.ts';

/** The size of a complete type whose size is constant. GNU: `void` and functions count as one byte. */
export function sizeOf(type: Type, model: DataModel): number {
  let count = 1;
  let at = type;
  while (at.kind === 'array') {
    if (typeof at.length !== 'number') {
      if (at.length === null) return 0;
      throw new InvariantError('size of a variable-length array');
    }
    count *= at.length;
    at = at.element;
  }
  return count === 0 ? 0 : count * elementSize(at, model);
}

function elementSize(type: Type, model: DataModel): number {
  switch (type.kind) {
    case 'void':
    case 'function':
      return 1;
    case 'integer':
      return integerSize(type.name, model);
    case 'enum':
      return integerSize(type.declaration.underlying, model);
    case 'float':
      return floatSize(type.name, model);
    case 'complex':
      return 2 * floatSize(type.part, model);
    case 'pointer':
      return wordSize(model);
    case 'record':
      return type.declaration.size;
    case 'va-list':
      return model === 'ILP32' ? 4 : 24;
    case 'array':
      return sizeOf(type, model);
  }
}

/** The alignment that objects and members of the type need (`_Alignof`). */
export function alignOf(type: Type, model: DataModel): number {
  let at = type;
  while (at.kind === 'array' && at.alias?.alignment == null) at = at.element;
  const requested = at.alias?.alignment;
  if (requested != null) return requested;
  const natural = naturalAlignment(at, model);
  if (!(at.qualifiers & QUALIFIER_ATOMIC)) return natural;
  const size = sizeOf(at, model);
  return size === 1 || size === 2 || size === 4 || size === 8 || size === 16 ? Math.max(natural, size) : natural;
}

function naturalAlignment(type: Type, model: DataModel): number {
  switch (type.kind) {
    case 'integer':
    case 'enum': {
      const size = elementSize(type, model);
      return model === 'ILP32' && size === 8 ? 4 : size;
    }
    case 'float':
      return floatAlignment(type.name, model);
    case 'complex':
      return floatAlignment(type.part, model);
    case 'pointer':
      return wordSize(model);
    case 'record':
      return type.declaration.alignment;
    case 'va-list':
      return wordSize(model);
    case 'void':
    case 'function':
      return 1;
    case 'array':
      return alignOf(type, model);
  }
}

function floatSize(name: FloatName, model: DataModel): number {
  switch (name) {
    case '_Float16':
      return 2;
    case 'float':
    case '_Float32':
      return 4;
    case 'double':
    case '_Float64':
    case '_Float32x':
      return 8;
    case 'long double':
    case '_Float64x':
      return model === 'ILP32' ? 12 : 16;
    case '_Float128':
      return 16;
  }
}

function floatAlignment(name: FloatName, model: DataModel): number {
  const size = floatSize(name, model);
  if (name === '_Float128') return 16;
  return model === 'ILP32' ? Math.min(size, 4) : size;
}

/** GNU `__alignof__`: the alignment gcc prefers for a lone object, which on i386 exceeds what the ABI demands. */
export function preferredAlignOf(type: Type, model: DataModel): number {
  let at = type;
  while (at.kind === 'array') at = at.element;
  const basic = at.kind === 'integer' || at.kind === 'enum' || at.kind === 'float';
  if (basic && at.alias?.alignment == null && sizeOf(at, model) === 8) return 8;
  return alignOf(type, model);
}

// ---------------------------------------------------------------- records

/** A member before its place is known. */
export interface MemberToPlace {
  readonly name: string | null;
  readonly type: Type;
  /** null unless it is a bit-field. */
  readonly bitWidth: number | null;
  /** What `_Alignas` or an attribute asked for. */
  readonly alignment: number | null;
  /** The member itself has the attribute `packed`. */
  readonly packed: boolean;
  readonly loc: Loc;
}

export interface RecordLayoutOptions {
  readonly isUnion: boolean;
  readonly packed: boolean;
  readonly requestedAlignment: number | null;
  /** The cap set by `#pragma pack`, or null. */
  readonly pack: number | null;
}

export interface RecordLayout {
  readonly fields: readonly Field[];
  readonly size: number;
  readonly alignment: number;
}

/**
 * Places the members of a struct or union. The first bit of a bit-field is `8 * offset + bits.offset`; its unit starts
 * at a multiple of its type's size where the field lies within such a unit, and at a byte else (only packed ones do
 * not). The unit may reach past the end of a packed record.
 */
export function layoutRecord(
  members: readonly MemberToPlace[],
  options: RecordLayoutOptions,
  model: DataModel,
): RecordLayout {
  const fields: Field[] = [];
  let alignment = options.requestedAlignment ?? 1;
  let next = 0; // the first free bit; of a union, always 0
  let end = 0;
  for (const member of members) {
    const placed = placeMember(member, next, options, model);
    if (placed.raisesAlignment) alignment = Math.max(alignment, placed.alignment);
    fields.push(placed.field);
    end = Math.max(end, placed.end);
    if (!options.isUnion) next = placed.end;
  }
  const bytes = Math.ceil(end / 8);
  return { fields, size: roundUp(bytes, alignment), alignment };
}

interface PlacedMember {
  readonly field: Field;
  /** The first bit after it. */
  readonly end: number;
  readonly alignment: number;
  readonly raisesAlignment: boolean;
}

function placeMember(
  member: MemberToPlace,
  next: number,
  options: RecordLayoutOptions,
  model: DataModel,
): PlacedMember {
  if (member.bitWidth !== null) return placeBitField(member, member.bitWidth, next, options, model);
  const packed = options.packed || member.packed;
  let alignment = packed ? 1 : alignOf(member.type, model);
  if (member.alignment !== null) alignment = Math.max(alignment, member.alignment);
  if (options.pack !== null) alignment = Math.min(alignment, options.pack);
  const offset = roundUp(Math.ceil(next / 8), alignment);
  const { name, type, loc } = member;
  const field: Field = { name, type, offset, bits: null, alignment: member.alignment, packed: member.packed, loc };
  return { field, end: 8 * (offset + sizeOf(type, model)), alignment, raisesAlignment: true };
}

function placeBitField(
  member: MemberToPlace,
  width: number,
  next: number,
  options: RecordLayoutOptions,
  model: DataModel,
): PlacedMember {
  const { name, type, loc } = member;
  const packed = options.packed || member.packed;
  const size = sizeOf(type, model);
  const typeAlignment = alignOf(type, model);
  let start = next;
  if (width === 0) start = roundUp(start, 8 * typeAlignment);
  const requested = member.alignment === null ? 1 : Math.min(member.alignment, options.pack ?? member.alignment);
  if (member.alignment !== null) start = roundUp(start, 8 * requested);
  const mayCross = packed || options.pack !== null || width === 0;
  if (!mayCross) {
    const unit = 8 * typeAlignment;
    if (Math.ceil(((start % unit) + width) / unit) > (8 * size) / unit) start = roundUp(start, unit);
  }
  let alignment = packed ? 1 : typeAlignment;
  if (options.pack !== null) alignment = Math.min(typeAlignment, options.pack);
  alignment = Math.max(alignment, requested);
  const unitOffset = Math.floor(start / (8 * size)) * size;
  const offset = start + width <= 8 * (unitOffset + size) ? unitOffset : Math.floor(start / 8);
  const bits = { offset: start - 8 * offset, width };
  const field: Field = { name, type, offset, bits, alignment: member.alignment, packed: member.packed, loc };
  return { field, end: start + width, alignment, raisesAlignment: name !== null };
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

/**
 * The scalars inside an object, by the paths that a person would write: `.head`, `.array[1].next`. Long arrays stay one place that
 * stands for all of their elements; bit-fields are places of less than a byte. Members of a union overlap.
 *
 * Left out: arrays of variable or unknown length, and complex numbers.
 */

import type { DataModel } from './data-model.ts';
import { isSignedName } from './integer-range.ts';
import { sizeOf } from './layout.ts';
import type { RecordDeclaration, Type } from './types.ts';

export interface ScalarPlace {
  /** To be put behind the object's name; '' for an object that is a scalar. */
  readonly path: string;
  readonly type: Type;
  /** Bytes from the start of the object. */
  readonly offset: number;
  /** Bytes; of a bit-field, those of its storage unit. */
  readonly size: number;
  /** For a bit-field: its bits in the storage unit. */
  readonly bits: { readonly offset: number; readonly width: number } | null;
  /** Such places follow one another at these distances, outermost array first; empty for a single one. */
  readonly repeats: readonly { readonly count: number; readonly stride: number }[];
  /** The innermost record that it is a member of. */
  readonly record: RecordDeclaration | null;
  /** The typedef names of its type and of those around it, outermost first. */
  readonly aliases: readonly string[];
}

/** Arrays with more elements are one place. */
const MOST_ELEMENTS = 32;

/** Stops at this many places: what follows in the object is not listed. */
const MOST_PLACES = 4096;

export function scalarPlaces(type: Type, model: DataModel): readonly ScalarPlace[] {
  const places: ScalarPlace[] = [];
  collect(type, { path: '', offset: 0, bits: null, repeats: [], record: null, aliases: [] }, model, places);
  return places;
}

type Start = Omit<ScalarPlace, 'type' | 'size'>;

function collect(type: Type, outer: Start, model: DataModel, places: ScalarPlace[]): void {
  if (places.length >= MOST_PLACES) return;
  const start = type.alias ? { ...outer, aliases: [...outer.aliases, type.alias.name] } : outer;
  if (type.kind === 'array') collectElements(type, start, model, places);
  else if (type.kind === 'record') collectMembers(type.declaration, start, model, places);
  else if (type.kind !== 'void' && type.kind !== 'function' && type.kind !== 'complex') {
    places.push({ ...start, type, size: sizeOf(type, model) });
  }
}

function collectElements(
  type: Extract<Type, { kind: 'array' }>,
  start: Start,
  model: DataModel,
  places: ScalarPlace[],
): void {
  const { element, length } = type;
  if (typeof length !== 'number' || length === 0 || hasNoSize(element)) return;
  const stride = sizeOf(element, model);
  if (length > MOST_ELEMENTS) {
    const path = `${start.path}[0..${length - 1}]`;
    collect(element, { ...start, path, repeats: [...start.repeats, { count: length, stride }] }, model, places);
    return;
  }
  for (let i = 0; i < length; i++) {
    collect(element, { ...start, path: `${start.path}[${i}]`, offset: start.offset + i * stride }, model, places);
  }
}

function hasNoSize(type: Type): boolean {
  return type.kind === 'array' && (typeof type.length !== 'number' || hasNoSize(type.element));
}

function collectMembers(record: RecordDeclaration, start: Start, model: DataModel, places: ScalarPlace[]): void {
  for (const { name, type, offset, bits } of record.fields ?? []) {
    if (name === null && (bits !== null || type.kind !== 'record')) continue;
    const path = name === null ? start.path : `${start.path}.${name}`;
    collect(type, { ...start, path, offset: start.offset + offset, bits, record }, model, places);
  }
}

/** How many bits a place has in the program, and how they are read. */
export function placeView(place: ScalarPlace): { readonly bits: number; readonly signed: boolean } {
  const { type } = place;
  const name = type.kind === 'integer' ? type.name : type.kind === 'enum' ? type.declaration.underlying : null;
  return { bits: place.bits?.width ?? 8 * place.size, signed: name !== null && isSignedName(name) };
}

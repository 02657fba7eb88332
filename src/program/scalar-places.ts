/**
 * The scalars inside an object, by the paths that a person would write: `.head`, `.array[1].next`. Long arrays stay one
 * place that stands for all of their elements, and if there would be very many places, shorter ones too; bit-fields are
 * places of less than a byte. Members of a union overlap.
 *
 * Left out: arrays of variable or unknown length, and complex numbers.
 */

import type { DataModel } from './data-model.ts';
import { isSignedName } from './integer-range.ts';
import { sizeOf } from './layout.ts';
import type { Field, RecordDeclaration, Type } from './types.ts';

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
  /** The innermost member that it is, or is an element of. */
  readonly field: Field | null;
  /** The typedef names of its type and of those around it, outermost first. */
  readonly aliases: readonly string[];
}

/** Arrays with more elements are one place: the first of these numbers that gives few enough places. */
const MOST_ELEMENTS = [32, 4, 0] as const;

const MOST_PLACES = 4096;

export function scalarPlaces(type: Type, model: DataModel): readonly ScalarPlace[] {
  const longest = MOST_ELEMENTS.find((elements) => countPlaces(type, elements) <= MOST_PLACES) ?? 0;
  const places: ScalarPlace[] = [];
  const start = { path: '', offset: 0, bits: null, repeats: [], record: null, field: null, aliases: [] };
  collect(type, start, { model, longest }, places);
  return places;
}

/** How many places there are, more or less, if longer arrays are one place. */
function countPlaces(type: Type, longest: number): number {
  if (type.kind === 'array') {
    const length = typeof type.length === 'number' && type.length <= longest ? type.length : 1;
    return length * countPlaces(type.element, longest);
  }
  if (type.kind !== 'record') return 1;
  return (type.declaration.fields ?? []).reduce((sum, field) => sum + countPlaces(field.type, longest), 0);
}

interface Measure {
  readonly model: DataModel;
  readonly longest: number;
}

type Start = Omit<ScalarPlace, 'type' | 'size'>;

function collect(type: Type, outer: Start, measure: Measure, places: ScalarPlace[]): void {
  const start = type.alias ? { ...outer, aliases: [...outer.aliases, type.alias.name] } : outer;
  if (type.kind === 'array') collectElements(type, start, measure, places);
  else if (type.kind === 'record') collectMembers(type.declaration, start, measure, places);
  else if (type.kind !== 'void' && type.kind !== 'function' && type.kind !== 'complex') {
    places.push({ ...start, type, size: sizeOf(type, measure.model) });
  }
}

function collectElements(
  type: Extract<Type, { kind: 'array' }>,
  start: Start,
  measure: Measure,
  places: ScalarPlace[],
): void {
  const { element, length } = type;
  if (typeof length !== 'number' || length === 0 || hasNoSize(element)) return;
  const stride = sizeOf(element, measure.model);
  if (length > measure.longest) {
    const path = `${start.path}[0..${length - 1}]`;
    collect(element, { ...start, path, repeats: [...start.repeats, { count: length, stride }] }, measure, places);
    return;
  }
  for (let i = 0; i < length; i++) {
    collect(element, { ...start, path: `${start.path}[${i}]`, offset: start.offset + i * stride }, measure, places);
  }
}

function hasNoSize(type: Type): boolean {
  return type.kind === 'array' && (typeof type.length !== 'number' || hasNoSize(type.element));
}

function collectMembers(record: RecordDeclaration, start: Start, measure: Measure, places: ScalarPlace[]): void {
  for (const field of record.fields ?? []) {
    const { name, type, offset, bits } = field;
    if (name === null && (bits !== null || type.kind !== 'record')) continue;
    const path = name === null ? start.path : `${start.path}.${name}`;
    collect(type, { ...start, path, offset: start.offset + offset, bits, record, field }, measure, places);
  }
}

/** How many bits a place has in the program, and how they are read. */
export function placeView(place: ScalarPlace): { readonly bits: number; readonly signed: boolean } {
  const { type } = place;
  const name = type.kind === 'integer' ? type.name : type.kind === 'enum' ? type.declaration.underlying : null;
  return { bits: place.bits?.width ?? 8 * place.size, signed: name !== null && isSignedName(name) };
}

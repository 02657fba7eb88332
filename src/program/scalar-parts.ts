/**
 * The scalars inside an object, by the paths that a person would write: `.head`, `.array[1].next`. Long arrays stay one
 * part that stands for all of their elements, and if there would be very many parts, shorter ones too; bit-fields are
 * parts of less than a byte. Members of a union overlap.
 *
 * Left out: arrays of variable or unknown length, and complex numbers.
 */

import type { DataModel } from './data-model.ts';
import { isSignedName } from './integer-range.ts';
import { sizeOf } from './layout.ts';
import type { Field, RecordDeclaration, Type } from './types.ts';

export interface ScalarPart {
  /** To be put behind the object's name; '' for an object that is a scalar. */
  readonly path: string;
  readonly type: Type;
  /** Bytes from the start of the object. */
  readonly offset: number;
  /** Bytes; of a bit-field, those of its storage unit. */
  readonly size: number;
  /** For a bit-field: its bits in the storage unit. */
  readonly bits: { readonly offset: number; readonly width: number } | null;
  /** Such parts follow one another at these distances, outermost array first; empty for a single one. */
  readonly repeats: readonly { readonly count: number; readonly stride: number }[];
  /** The innermost record that it is a member of. */
  readonly record: RecordDeclaration | null;
  /** The innermost member that it is, or is an element of. */
  readonly field: Field | null;
  /** The typedef names of its type and of those around it, outermost first. */
  readonly aliases: readonly string[];
}

/** Arrays with more elements are one part: the first of these numbers that gives few enough parts. */
const MOST_ELEMENTS = [32, 4, 0] as const;

const MOST_PARTS = 4096;

export function scalarParts(type: Type, model: DataModel): readonly ScalarPart[] {
  const longest = MOST_ELEMENTS.find((elements) => countParts(type, elements) <= MOST_PARTS) ?? 0;
  const parts: ScalarPart[] = [];
  const start = { path: '', offset: 0, bits: null, repeats: [], record: null, field: null, aliases: [] };
  collect(type, start, { model, longest }, parts);
  return parts;
}

/** How many parts there are, more or less, if longer arrays are one part. */
function countParts(type: Type, longest: number): number {
  if (type.kind === 'array') {
    const length = typeof type.length === 'number' && type.length <= longest ? type.length : 1;
    return length * countParts(type.element, longest);
  }
  if (type.kind !== 'record') return 1;
  return (type.declaration.fields ?? []).reduce((sum, field) => sum + countParts(field.type, longest), 0);
}

interface Measure {
  readonly model: DataModel;
  readonly longest: number;
}

type Start = Omit<ScalarPart, 'type' | 'size'>;

function collect(type: Type, outer: Start, measure: Measure, parts: ScalarPart[]): void {
  const start = type.alias ? { ...outer, aliases: [...outer.aliases, type.alias.name] } : outer;
  if (type.kind === 'array') collectElements(type, start, measure, parts);
  else if (type.kind === 'record') collectMembers(type.declaration, start, measure, parts);
  else if (type.kind !== 'void' && type.kind !== 'function' && type.kind !== 'complex') {
    parts.push({ ...start, type, size: sizeOf(type, measure.model) });
  }
}

function collectElements(
  type: Extract<Type, { kind: 'array' }>,
  start: Start,
  measure: Measure,
  parts: ScalarPart[],
): void {
  const { element, length } = type;
  if (typeof length !== 'number' || length === 0 || hasNoSize(element)) return;
  const stride = sizeOf(element, measure.model);
  if (length > measure.longest) {
    const path = `${start.path}[0..${length - 1}]`;
    collect(element, { ...start, path, repeats: [...start.repeats, { count: length, stride }] }, measure, parts);
    return;
  }
  for (let i = 0; i < length; i++) {
    collect(element, { ...start, path: `${start.path}[${i}]`, offset: start.offset + i * stride }, measure, parts);
  }
}

function hasNoSize(type: Type): boolean {
  return type.kind === 'array' && (typeof type.length !== 'number' || hasNoSize(type.element));
}

function collectMembers(record: RecordDeclaration, start: Start, measure: Measure, parts: ScalarPart[]): void {
  for (const field of record.fields ?? []) {
    const { name, type, offset, bits } = field;
    if (name === null && (bits !== null || type.kind !== 'record')) continue;
    const path = name === null ? start.path : `${start.path}.${name}`;
    collect(type, { ...start, path, offset: start.offset + offset, bits, record, field }, measure, parts);
  }
}

/** How many bits a part has in the program, and how they are read. */
export function partView(part: ScalarPart): { readonly bits: number; readonly signed: boolean } {
  const { type } = part;
  const name = type.kind === 'integer' ? type.name : type.kind === 'enum' ? type.declaration.underlying : null;
  return { bits: part.bits?.width ?? 8 * part.size, signed: name !== null && isSignedName(name) };
}

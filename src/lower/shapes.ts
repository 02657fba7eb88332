/**
 * How C types look in memory and in registers: the scalar type that represents a type, the scalar leaves of a record or
 * array, and the container in which a bit-field is read and written.
 *
 * Bit-fields: C makes adjacent bit-fields one memory location, so the whole storage unit is read and written, as long
 * as it overlaps no ordinary member and stays inside the record; otherwise just the bytes that the field lies in.
 */

import type { ScalarType } from '../program/code.ts';
import type { DataModel } from '../program/data-model.ts';
import { wordSize } from '../program/data-model.ts';
import { integerSize, isSignedName } from '../program/integer-range.ts';
import { sizeOf } from '../program/layout.ts';
import type { FloatName, IntegerName, RecordDeclaration, Type } from '../program/types.ts';
import { invariant } from '../support/invariant.ts';
import { type IntegerScalar, integerScalar } from './values.ts';

/** One scalar inside an object. */
export interface Leaf {
  readonly offset: number;
  readonly type: ScalarType;
}

export interface BitContainer {
  /** Bytes from the start of the record. */
  readonly offset: number;
  /** The value of the whole container. */
  readonly type: IntegerScalar;
  /** First bit of the field, from the least significant of the container. */
  readonly shift: number;
  /**
   * What is read and written, in order of place from the container's start: one scalar, or single bytes in odd layouts.
   */
  readonly pieces: readonly { readonly offset: number; readonly type: IntegerScalar }[];
}

export function pointerScalar(model: DataModel): IntegerScalar {
  return { kind: 'integer', bits: wordSize(model) === 4 ? 32 : 64, signed: false, pointer: true };
}

/** The integer type of pointer differences. */
export function differenceScalar(model: DataModel): IntegerScalar {
  return integerScalar(wordSize(model) === 4 ? 32 : 64, true);
}

function integerOf(name: IntegerName, model: DataModel): IntegerScalar {
  return integerScalar((8 * integerSize(name, model)) as IntegerScalar['bits'], isSignedName(name));
}

const FLOAT_BITS: Readonly<Record<FloatName, 16 | 32 | 64 | 80 | 128>> = {
  float: 32,
  double: 64,
  'long double': 80,
  _Float16: 16,
  _Float32: 32,
  _Float64: 64,
  _Float32x: 64,
  _Float64x: 80,
  _Float128: 128,
};

/** The scalar that represents a type; null for void, records, arrays, functions and complex numbers. */
export function scalarOf(type: Type, model: DataModel): ScalarType | null {
  switch (type.kind) {
    case 'integer':
      return integerOf(type.name, model);
    case 'enum':
      return integerOf(type.declaration.underlying, model);
    case 'float':
      return { kind: 'float', bits: FLOAT_BITS[type.name] };
    case 'pointer':
    case 'va-list': // a pointer into the object that holds the arguments
      return pointerScalar(model);
    default:
      return null;
  }
}

export function bytesOf(type: ScalarType): number {
  return type.bits === 80 ? 16 : type.bits / 8;
}

// ---------------------------------------------------------------- leaves

/**
 * The scalars that make up an object, in order of place, without gaps being named. Flexible and variable arrays have
 * none.
 */
export function leavesOf(type: Type, model: DataModel): Leaf[] {
  const leaves: Leaf[] = [];
  collectLeaves(type, 0, model, leaves);
  return leaves;
}

/** How many leaves there are, without making them. */
export function countLeaves(type: Type, model: DataModel): number {
  if (type.kind === 'array') {
    return typeof type.length === 'number' ? type.length * countLeaves(type.element, model) : 0;
  }
  return type.kind === 'record' ? leavesOf(type, model).length : 1;
}

function collectLeaves(type: Type, offset: number, model: DataModel, leaves: Leaf[]): void {
  if (type.kind === 'array') {
    if (typeof type.length !== 'number') return;
    const stride = sizeOf(type.element, model);
    for (let i = 0; i < type.length; i++) collectLeaves(type.element, offset + i * stride, model, leaves);
  } else if (type.kind === 'record') {
    for (const leaf of recordLeaves(type.declaration, model)) {
      leaves.push({ offset: offset + leaf.offset, type: leaf.type });
    }
  } else {
    const scalar = scalarOf(type, model);
    if (scalar) leaves.push({ offset, type: scalar });
  }
}

function recordLeaves(record: RecordDeclaration, model: DataModel): Leaf[] {
  if (record.isUnion) return unionLeaves(record, model);
  const leaves: Leaf[] = [];
  for (const field of record.fields ?? []) {
    if (field.bits === null) collectLeaves(field.type, field.offset, model, leaves);
    else if (field.bits.width > 0) {
      const container = bitContainer(record, field, model);
      for (const piece of container.pieces) {
        leaves.push({ offset: container.offset + piece.offset, type: piece.type });
      }
    }
  }
  return hasOverlap(leaves) ? chunks(record) : unique(leaves);
}

/** The leaves of a member that fills the union without gaps, or plain words. */
function unionLeaves(record: RecordDeclaration, model: DataModel): Leaf[] {
  for (const field of record.fields ?? []) {
    if (field.bits !== null) continue;
    const leaves = leavesOf(field.type, model);
    const covered = leaves.reduce((sum, leaf) => sum + bytesOf(leaf.type), 0);
    if (covered === record.size) return leaves;
  }
  return chunks(record);
}

function chunks(record: RecordDeclaration): Leaf[] {
  const bytes = [8, 4, 2, 1].find((size) => record.alignment % size === 0 && record.size % size === 0) ?? 1;
  const type = integerScalar((bytes * 8) as 8 | 16 | 32 | 64, false);
  return Array.from({ length: record.size / bytes }, (_, i) => ({ offset: i * bytes, type }));
}

function unique(leaves: readonly Leaf[]): Leaf[] {
  return leaves.filter((leaf, i) => i === 0 || leaf.offset !== leaves[i - 1]?.offset);
}

/** Whether two different leaves share a byte (odd bit-field containers). */
function hasOverlap(leaves: readonly Leaf[]): boolean {
  const sorted = [...leaves].sort((a, b) => a.offset - b.offset);
  return sorted.some((leaf, i) => {
    const previous = sorted[i - 1];
    if (!previous || previous.offset + bytesOf(previous.type) <= leaf.offset) return false;
    return previous.offset !== leaf.offset || previous.type.bits !== leaf.type.bits;
  });
}

// ---------------------------------------------------------------- bit-fields

type FieldOf = NonNullable<RecordDeclaration['fields']>[number];

export function bitContainer(record: RecordDeclaration, field: FieldOf, model: DataModel): BitContainer {
  const bits = field.bits;
  invariant(bits !== null, 'a bit-field');
  const unit = sizeOf(field.type, model);
  if (bits.offset + bits.width <= 8 * unit && unitIsFree(record, field.offset, unit, model)) {
    return wholeContainer(field.offset, unit, bits.offset);
  }
  const first = Math.floor(bits.offset / 8);
  const needed = Math.ceil((bits.offset + bits.width) / 8) - first;
  const offset = field.offset + first;
  const shift = bits.offset - 8 * first;
  const bytes = [1, 2, 4, 8].find((size) => size >= needed);
  if (bytes === needed) return wholeContainer(offset, bytes, shift);
  const pieces = Array.from({ length: needed }, (_, i) => ({ offset: i, type: integerScalar(8, false) }));
  return { offset, type: integerScalar(needed <= 8 ? 64 : 128, false), shift, pieces };
}

function wholeContainer(offset: number, bytes: number, shift: number): BitContainer {
  const type = integerScalar((8 * bytes) as IntegerScalar['bits'], false);
  return { offset, type, shift, pieces: [{ offset: 0, type }] };
}

function unitIsFree(record: RecordDeclaration, offset: number, size: number, model: DataModel): boolean {
  if (offset + size > record.size) return false;
  return (record.fields ?? []).every((field) => {
    if (field.bits !== null || record.isUnion) return true;
    return field.offset >= offset + size || field.offset + sizeOf(field.type, model) <= offset;
  });
}

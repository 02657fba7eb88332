/**
 * The parts in which a record is copied while other threads look on: C makes no promise that they see all of a copy or
 * nothing of it. Each part is one access. Members are copied one by one and arrays element by element; bit-fields that
 * share a storage unit are one part, as they are one memory location. A union is copied by a member that fills it, or
 * as a whole if none does.
 *
 * Left out: records of very many parts, which are copied as a whole.
 */

import { bitContainer } from '../../lower/shapes.ts';
import { comparison, converted, element, integer, member } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression } from '../../program/tree.ts';
import { isScalar, promoted, unqualified } from '../../program/type-operations.ts';
import type { Field, Type } from '../../program/types.ts';
import { largestOf } from '../../support/push-all.ts';
import { isList, listAt } from '../variable-arguments.ts';

/** Records of more parts are copied as a whole. */
const PART_LIMIT = 64;

/** From the lvalue of a whole to the lvalues of a part: one, or several bit-fields of one unit. */
export type PartsOf = (whole: Expression) => readonly Expression[];

/** null if there are too many, or if the whole is one part. */
export function copyParts(type: Type, model: DataModel): readonly PartsOf[] | null {
  const parts: PartsOf[] = [];
  const isComplete = collectParts(type, (whole) => whole, model, parts);
  return isComplete && parts.length > 1 ? parts : null;
}

/**
 * Comparisons that hold where two records are equal, padding not counted; null if there are too many, or a union that
 * no member fills.
 */
export function equalParts(left: Expression, right: Expression, model: DataModel): readonly Expression[] | null {
  const parts: PartsOf[] = [];
  if (!collectParts(left.type, (whole) => whole, model, parts)) return null;
  const lefts = parts.flatMap((part) => part(left));
  const rights = parts.flatMap((part) => part(right));
  if (!lefts.every(({ type }) => isScalar(type))) return null;
  return lefts.map((one, i) => {
    const type = one.type.kind === 'pointer' ? unqualified(one.type) : promoted(one.type);
    return comparison('==', converted(one, type), converted(rights[i] as Expression, type), left.loc);
  });
}

/** False when there are too many parts. */
function collectParts(
  type: Type,
  path: (whole: Expression) => Expression,
  model: DataModel,
  parts: PartsOf[],
): boolean {
  if (type.kind === 'array') {
    const { length } = type;
    if (typeof length !== 'number') return length === null;
    if (parts.length + length > PART_LIMIT) return false;
    for (let i = 0; i < length; i++) {
      const inner = (whole: Expression) => element(path(whole), integer(i, whole.loc), whole.loc);
      if (!collectParts(type.element, inner, model, parts)) return false;
    }
    return true;
  }
  if (type.kind !== 'record') {
    if (type.kind === 'void' || type.kind === 'function') return true;
    parts.push(isList(type) ? (whole) => [listAt(path(whole))] : (whole) => [path(whole)]);
    return parts.length <= PART_LIMIT;
  }
  const { declaration } = type;
  if (!declaration.isUnion) return collectMembers(declaration.fields ?? [], path, model, parts);
  const filling = (declaration.fields ?? []).find((field) => fills(field, declaration.size, model));
  if (filling) return collectParts(filling.type, memberOf(path, filling), model, parts);
  parts.push((whole) => [path(whole)]);
  return true;
}

function collectMembers(
  fields: readonly Field[],
  path: (whole: Expression) => Expression,
  model: DataModel,
  parts: PartsOf[],
): boolean {
  const units = new Map<number, Field[]>();
  for (const field of fields) {
    if (field.bits === null) {
      if (!collectParts(field.type, memberOf(path, field), model, parts)) return false;
      continue;
    }
    if (field.name === null) continue;
    const unit = units.get(field.offset);
    if (unit) unit.push(field);
    else {
      const first = [field];
      units.set(field.offset, first);
      parts.push((whole) => first.map((one) => memberOf(path, one)(whole)));
    }
  }
  return parts.length <= PART_LIMIT;
}

function memberOf(path: (whole: Expression) => Expression, field: Field): (whole: Expression) => Expression {
  return (whole) => member(path(whole), field, whole.loc);
}

/** Whether the member covers every byte, padding not counted. */
function fills(field: Field, size: number, model: DataModel): boolean {
  return field.bits === null && bytesIn(field.type, model) === size;
}

function bytesIn(type: Type, model: DataModel): number {
  if (type.kind === 'array') return typeof type.length === 'number' ? type.length * bytesIn(type.element, model) : 0;
  if (type.kind !== 'record') return isScalar(type) ? sizeOf(type, model) : 0;
  if (type.declaration.isUnion) {
    return largestOf((type.declaration.fields ?? []).map((field) => bytesIn(field.type, model)));
  }
  let bytes = 0;
  for (const field of type.declaration.fields ?? []) bytes += field.bits === null ? bytesIn(field.type, model) : 0;
  return bytes;
}

/** The bit-fields that are read and written together with one, as one memory location, but for those of unions. */
export function othersInUnit(target: Extract<Expression, { kind: 'member' }>, model: DataModel): readonly Field[] {
  const { field, object } = target;
  if (object.type.kind !== 'record' || object.type.declaration.isUnion) return [];
  const { declaration } = object.type;
  const { offset, pieces } = bitContainer(declaration, field, model);
  const end = offset + pieces.reduce((sum, piece) => sum + piece.type.bits / 8, 0);
  return (declaration.fields ?? []).filter((other) => {
    if (other.bits === null || other.name === null || other === field) return false;
    const first = 8 * other.offset + other.bits.offset;
    return first < 8 * end && first + other.bits.width > 8 * offset;
  });
}

/**
 * How a pending store of a thread and a later access of the same thread lie to each other: whether the access can see
 * it, and whether the text says so or addresses have to be compared. Accesses of the same type are to the same bytes or
 * to different ones, as long as nothing lies askew; members of one type of record are told apart by their bytes.
 */

import type { AbstractObject } from '../passes/alias/points-to.ts';
import { rootOf } from '../passes/alias/sharing.ts';
import { areApart, type ByteRange, extentOf, rangeOf } from '../passes/propagate/variable-parts.ts';
import type { DataModel } from '../program/data-model.ts';
import { sizeOf } from '../program/layout.ts';
import type { Expression } from '../program/tree.ts';
import { isScalar, sameType, unqualified } from '../program/type-operations.ts';
import type { RecordDeclaration } from '../program/types.ts';

export type Relation =
  | 'apart'
  | 'same'
  /** The same bytes if the addresses are equal, else different ones. */
  | 'by-address'
  /** They may have some bytes in common. */
  | 'by-bytes';

/** What may lie behind an lvalue in the text of a thread; null if that is not known. */
export type ObjectsOf = (thread: number, lvalue: Expression) => readonly AbstractObject[] | null;

export function comparePlaces(
  thread: number,
  one: Expression,
  other: Expression,
  objectsOf: ObjectsOf,
  model: DataModel,
): Relation {
  const hasSameType = isScalar(one.type) && sameType(unqualified(one.type), unqualified(other.type));
  const [root, otherRoot] = [rootOf(one), rootOf(other)];
  if (root !== null && otherRoot !== null) {
    if (root !== otherRoot) return 'apart';
    const [range, otherRange] = [rangeOf(one, model), rangeOf(other, model)];
    if (range && otherRange) {
      if (areApart(range, otherRange)) return 'apart';
      return hasSameType && range.start === otherRange.start ? 'same' : 'by-bytes';
    }
    const [extent, otherExtent] = [extentOf(one, model), extentOf(other, model)];
    if (extent && otherExtent && areApart(extent, otherExtent)) return 'apart';
  } else if (!mayShareObject(thread, one, other, objectsOf)) return 'apart';
  const [within, otherWithin] = [memberOf(one, model), memberOf(other, model)];
  if (within && within.record === otherWithin?.record && areApart(within, otherWithin)) return 'apart';
  return hasSameType ? 'by-address' : 'by-bytes';
}

function mayShareObject(thread: number, one: Expression, other: Expression, objectsOf: ObjectsOf): boolean {
  const [objects, others] = [objectsOf(thread, one), objectsOf(thread, other)];
  if (objects === null || others === null) return true;
  const all = new Set(objects);
  return others.some((object) => all.has(object));
}

/** The bytes of a record that is found through a pointer or index. */
function memberOf(lvalue: Expression, model: DataModel): (ByteRange & { readonly record: RecordDeclaration }) | null {
  let start = 0;
  let at = lvalue;
  let record: RecordDeclaration | null = null;
  while (at.kind === 'member') {
    if (at.field.bits) return null;
    start += at.field.offset;
    at = at.object;
    record = at.type.kind === 'record' ? at.type.declaration : null;
  }
  return record && { record, start, size: sizeOf(lvalue.type, model) };
}

/** Whether a member of a packed record lies where its type would not. */
export function liesAskew(lvalue: Expression, model: DataModel): boolean {
  const step = Math.min(sizeOf(lvalue.type, model), model === 'ILP32' ? 4 : 8);
  for (let at = lvalue; at.kind === 'member'; at = at.object) {
    if (at.field.offset % step !== 0) return true;
  }
  return false;
}

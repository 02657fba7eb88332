/**
 * Parts of variables by their bytes: which ones an lvalue denotes, as far as the text says it, and what an initializer
 * puts there. The same bytes have many spellings (`m.kind`, `((int *)&m)[4]`), and the models use others than the user.
 *
 * Left out: bit-fields.
 */

import type { DataModel } from '../../program/data-model.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression, Initializer, VariableSymbol } from '../../program/tree.ts';
import { hasVariableSize, isComplete, isScalar, sameType, unqualified } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import { objectBehind } from '../alias/sharing.ts';

export interface ByteRange {
  readonly start: number;
  readonly size: number;
}

export function areApart(one: ByteRange, other: ByteRange): boolean {
  return one.start + one.size <= other.start || other.start + other.size <= one.start;
}

/** The bytes of its variable (`rootOf`) that an lvalue denotes; null where the text does not say which. */
export function rangeOf(lvalue: Expression, model: DataModel): ByteRange | null {
  let offset = 0;
  let at = lvalue;
  for (;;) {
    if (at.kind === 'variable') return rangeIn(at.symbol, lvalue, offset, model);
    if (at.kind === 'member') {
      if (at.field.bits) return null;
      offset += at.field.offset;
      at = at.object;
    } else if (at.kind === 'index' || at.kind === 'dereference') {
      if (at.kind === 'index') {
        if (at.index.kind !== 'integer') return null;
        offset += Number(at.index.value) * fixedSize(at.type, model);
      }
      const object = objectBehind(at.kind === 'index' ? at.base : at.operand);
      if (object === null) return null;
      at = object;
    } else return null;
  }
}

/**
 * Bytes of its variable that an lvalue lies in: those it denotes, or an array that holds it, if the text does not say
 * at which index. An index beyond the end of the array is undefined, and backends do not look further either. Null if
 * it may be anywhere.
 */
export function extentOf(lvalue: Expression, model: DataModel): ByteRange | null {
  let whole = lvalue;
  let at = lvalue;
  while (at.kind !== 'variable') {
    if (at.kind === 'member') {
      at = at.object;
      continue;
    }
    if (at.kind !== 'index' && at.kind !== 'dereference') return null;
    const object = objectBehind(at.kind === 'index' ? at.base : at.operand);
    if (object === null) return null;
    // Rows of a matrix are often run over the end of one into the next.
    if (at.kind === 'index' && (at.index.kind !== 'integer' || (at === whole && whole !== lvalue))) {
      if (!isElementOf(at, object)) return null;
      whole = object;
    }
    at = object;
  }
  return rangeOf(whole, model);
}

/** Whether an array is indexed as what it is, not as one of other elements. */
function isElementOf({ base, type }: Extract<Expression, { kind: 'index' }>, array: Expression): boolean {
  return (
    base.kind === 'cast' &&
    base.castKind === 'array-to-pointer' &&
    array.type.kind === 'array' &&
    sameType(unqualified(type), unqualified(array.type.element))
  );
}

function rangeIn(symbol: VariableSymbol, lvalue: Expression, start: number, model: DataModel): ByteRange | null {
  const size = fixedSize(lvalue.type, model);
  const isInside = start >= 0 && size > 0 && start + size <= fixedSize(symbol.type, model);
  return isInside ? { start, size } : null;
}

/** 0 for types without one. */
function fixedSize(type: Type, model: DataModel): number {
  return isComplete(type) && !hasVariableSize(type) ? sizeOf(type, model) : 0;
}

// ---------------------------------------------------------------- initial values

/** `value` is null for the zeros of what no initializer mentions. */
export interface InitialPart {
  readonly value: Expression | null;
  readonly type: Type;
}

/** What an initializer puts at these bytes; null if that is only part of a value, or of a string. */
export function initialValue(
  initializer: Initializer | null,
  type: Type,
  range: ByteRange,
  model: DataModel,
): InitialPart | null {
  if (initializer === null) return { value: null, type };
  switch (initializer.kind) {
    case 'scalar':
      if (range.start !== 0 || range.size !== sizeOf(type, model)) return null;
      return { value: initializer.value, type };
    case 'characters':
      return null;
    case 'array': {
      if (type.kind !== 'array') return null;
      const stride = sizeOf(type.element, model);
      const index = Math.floor(range.start / stride);
      const item = initializer.items.find(({ first, last }) => first <= index && index <= last);
      const inner = { start: range.start - index * stride, size: range.size };
      if (inner.start + inner.size > stride) return null;
      return initialValue(item?.value ?? null, type.element, inner, model);
    }
    case 'record': {
      for (const { field, value } of initializer.items) {
        const inner = { start: range.start - field.offset, size: range.size };
        const end = sizeOf(field.type, model);
        if (inner.start + inner.size <= 0 || inner.start >= end) continue;
        if (field.bits || inner.start < 0 || inner.start + inner.size > end) return null;
        return initialValue(value, field.type, inner, model);
      }
      return { value: null, type };
    }
  }
}

// ---------------------------------------------------------------- all parts

export interface VariableScalar extends ByteRange {
  readonly type: Type;
}

/**
 * The scalars that a variable consists of, members of unions and bit-fields left out; null if there are more than
 * `most`.
 */
export function scalarParts(type: Type, model: DataModel, most: number): readonly VariableScalar[] | null {
  const parts: VariableScalar[] = [];
  const isWithin = (at: Type, start: number): boolean => {
    if (isScalar(at)) return parts.push({ start, size: sizeOf(at, model), type: at }) <= most;
    if (at.kind === 'array' && typeof at.length === 'number' && at.length <= most) {
      const stride = sizeOf(at.element, model);
      return Array.from({ length: at.length }, (_, i) => i).every((i) => isWithin(at.element, start + i * stride));
    }
    if (at.kind !== 'record') return false;
    const { fields, isUnion } = at.declaration;
    return isUnion || (fields ?? []).every(({ type, offset, bits }) => bits !== null || isWithin(type, start + offset));
  };
  return isComplete(type) && isWithin(type, 0) ? parts : null;
}

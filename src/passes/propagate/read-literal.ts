/**
 * Characters of string literals that a place surely denotes: `*"%d"`, `("%d" + 1)[0]`. Nobody may change a literal, so
 * they are known. The formats of `printf` and `scanf` are read in this way, and what they decide about the models goes.
 */

import { integer } from '../../program/build-tree.ts';
import type { DataModel } from '../../program/data-model.ts';
import { integerNameOf, wrapInteger } from '../../program/integer-range.ts';
import { sizeOf } from '../../program/layout.ts';
import type { Expression, StringExpression } from '../../program/tree.ts';
import { isInteger, unqualified } from '../../program/type-operations.ts';

/** A place in a literal, in elements of the literal. */
interface LiteralPlace {
  readonly literal: StringExpression;
  readonly at: bigint;
}

/** The value at a place in a literal, null for other places. */
export function readLiteral(place: Expression, model: DataModel): Expression | null {
  if ((place.kind !== 'dereference' && place.kind !== 'index') || place.type.kind !== 'integer') return null;
  if (place.kind === 'index' && place.index.kind !== 'integer') return null;
  const pointer = literalPointer(place.kind === 'index' ? place.base : place.operand, model);
  if (pointer === null) return null;
  const { literal, at } = pointer;
  if (sizeOf(place.type, model) !== unitSize(literal, model)) return null;
  const index = at + (place.kind === 'index' && place.index.kind === 'integer' ? place.index.value : 0n);
  const unit = index < 0n ? undefined : literal.units[Number(index)];
  if (unit === undefined) return null;
  return integer(wrapInteger(BigInt(unit), integerNameOf(place.type), model), place.loc, unqualified(place.type));
}

/** A pointer to a fixed place in a literal; null for others. */
export function literalPointer(pointer: Expression, model: DataModel): LiteralPlace | null {
  let at = 0n;
  let inner = pointer;
  const sizes: number[] = [];
  for (;;) {
    if (inner.kind === 'pointer-offset' && inner.offset.kind === 'integer' && inner.type.kind === 'pointer') {
      if (!isInteger(inner.type.target)) return null;
      sizes.push(sizeOf(inner.type.target, model));
      at += inner.operator === '+' ? inner.offset.value : -inner.offset.value;
      inner = inner.pointer;
    } else if (inner.kind === 'cast' && inner.castKind === 'array-to-pointer') {
      const literal = inner.operand;
      if (literal.kind !== 'string' || sizes.some((size) => size !== unitSize(literal, model))) return null;
      return { literal, at };
    } else if (inner.kind === 'cast' && (inner.castKind === 'pointer' || inner.castKind === 'qualification')) {
      inner = inner.operand;
    } else return null;
  }
}

/** `("…" + 1) + 2` as `"…" + 3`, so that places in literals have one spelling. */
export function foldLiteralOffset(node: Expression, model: DataModel): Expression {
  if (node.kind !== 'pointer-offset' || node.pointer.kind !== 'pointer-offset') return node;
  const { offset, pointer } = node.pointer;
  if (offset.kind !== 'integer' || node.offset.kind !== 'integer' || literalPointer(pointer, model) === null)
    return node;
  const signed = (operator: '+' | '-', value: bigint) => (operator === '+' ? value : -value);
  const sum = signed(node.pointer.operator, offset.value) + signed(node.operator, node.offset.value);
  if (sum === 0n) return pointer;
  const operator = sum > 0n ? '+' : '-';
  return { ...node, operator, pointer, offset: integer(sum > 0n ? sum : -sum, node.offset.loc) };
}

function unitSize(literal: StringExpression, model: DataModel): number {
  return literal.type.kind === 'array' ? sizeOf(literal.type.element, model) : 0;
}

/**
 * The vocabulary of constant propagation: which places can hold a known value, and which values can be known. A place is a private
 * variable or a part of one that the text fixes (`x`, `s.f`, `a[3]`); places are numbered as they turn up. A value is known if it is a
 * literal or a fixed address.
 */

import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { sameType } from '../../program/type-operations.ts';

export class Places {
  readonly #private: ReadonlySet<VariableSymbol>;
  readonly #whole = new Map<VariableSymbol, number>();
  readonly #parts = new Map<string, number>();
  readonly #within = new Map<VariableSymbol, number[]>();
  #count = 0;

  constructor(among: ReadonlySet<VariableSymbol>) {
    this.#private = among;
  }

  isPrivate(symbol: VariableSymbol): boolean {
    return this.#private.has(symbol);
  }

  /** The number of the place that an lvalue denotes; null if it is not fixed, or not private. */
  indexOf(lvalue: Expression): number | null {
    if (lvalue.kind === 'variable') return this.ofVariable(lvalue.symbol);
    const parts: (number | bigint)[] = [];
    const root = partsOf(lvalue, parts);
    if (root === null || !this.#private.has(root)) return null;
    const key = `${root.id}/${parts.join('/')}`;
    return this.#parts.get(key) ?? this.#number(root, (index) => this.#parts.set(key, index));
  }

  ofVariable(symbol: VariableSymbol): number | null {
    if (!this.#private.has(symbol)) return null;
    return this.#whole.get(symbol) ?? this.#number(symbol, (index) => this.#whole.set(symbol, index));
  }

  #number(symbol: VariableSymbol, note: (index: number) => void): number {
    const index = this.#count++;
    note(index);
    const within = this.#within.get(symbol);
    if (within) within.push(index);
    else this.#within.set(symbol, [index]);
    return index;
  }

  /** All places in a variable that have turned up so far. */
  within(symbol: VariableSymbol): readonly number[] {
    return this.#within.get(symbol) ?? [];
  }
}

/** The variable that a fixed place lies in, with the way to the place; null for others. */
function partsOf(lvalue: Expression, parts: (number | bigint)[]): VariableSymbol | null {
  let at = lvalue;
  for (;;) {
    if (at.kind === 'variable') return at.symbol;
    if (at.kind === 'member') {
      const { type } = at.object;
      if (type.kind !== 'record' || type.declaration.isUnion || at.field.bits) return null;
      parts.push(at.field.offset);
      at = at.object;
    } else if (at.kind === 'index' && at.index.kind === 'integer' && isDecay(at.base)) {
      parts.push(at.index.value);
      at = at.base.operand;
    } else return null;
  }
}

export function isDecay(expression: Expression): expression is Extract<Expression, { kind: 'cast' }> {
  return expression.kind === 'cast' && expression.castKind === 'array-to-pointer';
}

/** Literals and fixed addresses. */
export function isKnownValue(value: Expression): boolean {
  switch (value.kind) {
    case 'integer':
    case 'float':
    case 'function':
      return true;
    case 'cast':
      return value.castKind === 'array-to-pointer' ? isFixedPlace(value.operand) : isKnownValue(value.operand);
    case 'address':
      return isFixedPlace(value.operand);
    case 'pointer-offset':
      return value.offset.kind === 'integer' && isLiteralAddress(value.pointer);
    default:
      return false;
  }
}

/** The address of a string literal. Others are not counted on from: what lies there is not known anyway. */
function isLiteralAddress(pointer: Expression): boolean {
  let at = pointer;
  while (at.kind === 'cast') at = at.operand;
  return at.kind === 'string';
}

function isFixedPlace(lvalue: Expression): boolean {
  let at = lvalue;
  for (;;) {
    if (at.kind === 'member') at = at.object;
    else if (at.kind === 'index' && at.index.kind === 'integer' && isDecay(at.base)) at = at.base.operand;
    else return at.kind === 'variable' || at.kind === 'string';
  }
}

/** Whether two known values are surely the same. */
export function sameValue(left: Expression, right: Expression): boolean {
  if (left === right) return true;
  if (left.kind === 'integer' && right.kind === 'integer') return left.value === right.value;
  if (left.kind === 'cast' && right.kind === 'cast') {
    return (
      left.castKind === right.castKind && sameType(left.type, right.type) && sameValue(left.operand, right.operand)
    );
  }
  if (left.kind === 'address' && right.kind === 'address') return samePlace(left.operand, right.operand);
  if (left.kind === 'function' && right.kind === 'function') return left.symbol === right.symbol;
  if (left.kind === 'string' && right.kind === 'string') return left.id === right.id;
  if (left.kind === 'pointer-offset' && right.kind === 'pointer-offset') {
    const isSame = left.operator === right.operator && sameValue(left.offset, right.offset);
    return isSame && sameValue(left.pointer, right.pointer);
  }
  return left.kind === 'variable' && right.kind === 'variable' && left.symbol === right.symbol;
}

function samePlace(left: Expression, right: Expression): boolean {
  if (left.kind === 'variable' && right.kind === 'variable') return left.symbol === right.symbol;
  if (left.kind === 'member' && right.kind === 'member')
    return left.field === right.field && samePlace(left.object, right.object);
  if (left.kind === 'index' && right.kind === 'index') {
    return sameValue(left.index, right.index) && sameValue(left.base, right.base);
  }
  return false;
}

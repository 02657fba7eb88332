/**
 * The vocabulary of constant propagation: which parts of memory can hold a known value, and which values can be known.
 * A part is a private variable or a piece of one that the text fixes (`x`, `s.f`, `a[3]`), or bytes of a global
 * variable that the thread follows; parts are numbered as they turn up. A value is known if it is a literal or a fixed
 * address.
 */

import type { DataModel } from '../../program/data-model.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isScalar, sameType } from '../../program/type-operations.ts';
import { rootOf } from '../alias/sharing.ts';
import { areApart, type ByteRange, extentOf, rangeOf } from './variable-parts.ts';

export class FollowedParts {
  readonly #private: ReadonlySet<VariableSymbol>;
  readonly #kept: ReadonlySet<VariableSymbol>;
  readonly #globals: ThreadGlobals | null;
  readonly #whole = new Map<VariableSymbol, number>();
  readonly #parts = new Map<string, number>();
  readonly #within = new Map<VariableSymbol, number[]>();
  /** By number: the part, if it is one of a global variable. */
  readonly #globalParts: (GlobalPart | undefined)[] = [];
  #count = 0;

  /** Of the private variables, those `kept` are also written through pointers. */
  constructor(
    among: ReadonlySet<VariableSymbol>,
    kept: ReadonlySet<VariableSymbol> = new Set(),
    globals: ThreadGlobals | null = null,
  ) {
    this.#private = among;
    this.#kept = kept;
    this.#globals = globals;
  }

  /** Whether an lvalue may denote a part that is followed, though the text does not show it. */
  mayLeadToFollowed(lvalue: Expression): boolean {
    return this.#kept.size > 0 && rootOf(lvalue) === null;
  }

  /** Whether the values of a variable, or of parts of it, are followed. */
  isFollowed(symbol: VariableSymbol): boolean {
    return this.#private.has(symbol) || (this.#globals?.steadyParts(symbol).length ?? 0) > 0;
  }

  /** All parts in a variable that is followed; null if they cannot be named. */
  allWithin(symbol: VariableSymbol): readonly number[] | null {
    if (!this.#private.has(symbol)) {
      return this.#globals?.steadyParts(symbol).map((range) => this.#ofPart({ symbol, range })) ?? [];
    }
    return isScalar(symbol.type) ? [this.#ofPrivate(symbol)] : null;
  }

  /** The number of the part that an lvalue denotes; null if it is not fixed, or not followed. */
  indexOf(lvalue: Expression): number | null {
    const symbol = rootOf(lvalue);
    if (symbol === null) return null;
    if (!this.#private.has(symbol)) return this.#globals && this.#indexOfGlobal(symbol, lvalue, this.#globals);
    if (lvalue.kind === 'variable') return this.#ofPrivate(symbol);
    const parts: (number | bigint)[] = [];
    if (partsOf(lvalue, parts) === null) return null;
    const key = `${symbol.id}/${parts.join('/')}`;
    return this.#parts.get(key) ?? this.#number(symbol, (index) => this.#parts.set(key, index));
  }

  #indexOfGlobal(symbol: VariableSymbol, lvalue: Expression, globals: ThreadGlobals): number | null {
    const parts = globals.steadyParts(symbol);
    const range = parts.length > 0 ? rangeOf(lvalue, globals.model) : null;
    const part = range && parts.find(({ start, size }) => start === range.start && size === range.size);
    return part ? this.#ofPart({ symbol, range: part }) : null;
  }

  #ofPart(part: GlobalPart): number {
    const { symbol, range } = part;
    const key = `${symbol.id}@${range.start}+${range.size}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    return this.#number(symbol, (index) => {
      this.#parts.set(key, index);
      this.#globalParts[index] = part;
    });
  }

  #ofPrivate(symbol: VariableSymbol): number {
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

  /** The parts in a variable that have turned up so far. */
  within(symbol: VariableSymbol): readonly number[] {
    return this.#within.get(symbol) ?? [];
  }

  /** Parts whose values a write to an lvalue may change. */
  changedBy(lvalue: Expression): readonly number[] {
    const root = rootOf(lvalue);
    if (root === null) return [...this.#kept].flatMap((symbol) => this.within(symbol));
    if (this.#private.has(root)) {
      const index = this.indexOf(lvalue);
      return index !== null && isScalar(lvalue.type) ? [index] : this.within(root);
    }
    const within = this.within(root);
    if (within.length === 0) return within;
    const range = this.#globals && extentOf(lvalue, this.#globals.model);
    return within.filter((index) => {
      const part = this.#globalParts[index];
      return !range || !part || !areApart(part.range, range);
    });
  }

  /** The parts of global variables that have turned up so far, by their numbers. */
  get globalParts(): readonly (GlobalPart | undefined)[] {
    return this.#globalParts;
  }

  /** The number of a private variable or of a scalar in a global variable; null if it is not followed. */
  ofScalar({ symbol, range }: GlobalPart): number | null {
    if (this.#private.has(symbol)) return this.#ofPrivate(symbol);
    return this.isFollowed(symbol) ? this.#ofPart({ symbol, range }) : null;
  }
}

export interface GlobalPart {
  readonly symbol: VariableSymbol;
  readonly range: ByteRange;
}

/** The global variables that a thread follows. */
export interface ThreadGlobals {
  readonly model: DataModel;
  /** The scalars in a variable that the thread follows. They do not overlap. */
  steadyParts(symbol: VariableSymbol): readonly ByteRange[];
}

/** The variable that a fixed part lies in, with the way to the part; null for others. */
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

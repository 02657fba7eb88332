/** Integers at fixed places, `x`, `s.f`, `a[3]` or `((int *)&m)[0]`, told apart by their bytes and their type. */

import type { DataModel } from '../../program/data-model.ts';
import { integerNameOf } from '../../program/integer-range.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isInteger } from '../../program/type-operations.ts';
import { rootOf } from '../alias/sharing.ts';
import { type ByteRange, extentOf, rangeOf } from '../propagate/variable-parts.ts';

export interface IntegerPart extends ByteRange {
  readonly id: number;
  readonly symbol: VariableSymbol;
}

export class IntegerParts {
  readonly #model: DataModel;
  readonly #byName = new Map<string, IntegerPart>();
  readonly #byLvalue = new Map<Expression, IntegerPart | null>();

  constructor(model: DataModel) {
    this.#model = model;
  }

  /** Null if the lvalue is something else, or the text does not say which place it denotes. */
  of(lvalue: Expression): IntegerPart | null {
    const known = this.#byLvalue.get(lvalue);
    if (known !== undefined) return known;
    const found = this.#find(lvalue);
    this.#byLvalue.set(lvalue, found);
    return found;
  }

  /** Bytes of its variable that an lvalue lies in; null if it may be anywhere. */
  extentOf(lvalue: Expression): ByteRange | null {
    return extentOf(lvalue, this.#model);
  }

  #find(lvalue: Expression): IntegerPart | null {
    const symbol = isInteger(lvalue.type) ? rootOf(lvalue) : null;
    const range = symbol && rangeOf(lvalue, this.#model);
    if (symbol === null || range === null) return null;
    const key = `${symbol.id}@${range.start} ${integerNameOf(lvalue.type)}`;
    const known = this.#byName.get(key);
    if (known !== undefined) return known;
    const part = { id: this.#byName.size, symbol, ...range };
    this.#byName.set(key, part);
    return part;
  }
}

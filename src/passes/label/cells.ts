/** Integers at fixed places, `x`, `s.f`, `a[3]` or `((int *)&m)[0]`, told apart by their bytes and their type. */

import type { DataModel } from '../../program/data-model.ts';
import { integerNameOf } from '../../program/integer-range.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isInteger } from '../../program/type-operations.ts';
import { rootOf } from '../alias/sharing.ts';
import { extentOf, type Range, rangeOf } from '../propagate/variable-parts.ts';

export interface Cell extends Range {
  readonly id: number;
  readonly symbol: VariableSymbol;
}

export class Cells {
  readonly #model: DataModel;
  readonly #byPlace = new Map<string, Cell>();
  readonly #byLvalue = new Map<Expression, Cell | null>();

  constructor(model: DataModel) {
    this.#model = model;
  }

  /** Null if the lvalue is something else, or the text does not say which place it denotes. */
  of(lvalue: Expression): Cell | null {
    const known = this.#byLvalue.get(lvalue);
    if (known !== undefined) return known;
    const found = this.#find(lvalue);
    this.#byLvalue.set(lvalue, found);
    return found;
  }

  /** Bytes of its variable that an lvalue lies in; null if it may be anywhere. */
  extentOf(lvalue: Expression): Range | null {
    return extentOf(lvalue, this.#model);
  }

  #find(lvalue: Expression): Cell | null {
    const symbol = isInteger(lvalue.type) ? rootOf(lvalue) : null;
    const range = symbol && rangeOf(lvalue, this.#model);
    if (symbol === null || range === null) return null;
    const key = `${symbol.id}@${range.start} ${integerNameOf(lvalue.type)}`;
    const known = this.#byPlace.get(key);
    if (known !== undefined) return known;
    const cell = { id: this.#byPlace.size, symbol, ...range };
    this.#byPlace.set(key, cell);
    return cell;
  }
}

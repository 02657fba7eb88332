/**
 * Checked arithmetic on 64 bits where no type is wider (ILP32). The exact result is low + 2^64 * high: low is computed
 * in `unsigned long long`, high is a small number. A product is that of the magnitudes, with its sign; whether it needs
 * more than 64 bits a division tells.
 */

import { arithmetic, assign, cast, comparison, integer } from '../../program/build-tree.ts';
import { isSignedName } from '../../program/integer-range.ts';
import type { ArithmeticOperator, Expression } from '../../program/tree.ts';
import { integerType, intType, unqualified } from '../../program/type-operations.ts';
import type { Type } from '../../program/types.ts';
import type { Loc } from '../../support/source.ts';
import type { Simplifier } from './simplifier.ts';

const WORD = integerType('unsigned long long');

interface Exact {
  readonly low: Expression;
  readonly high: Expression;
  /** 1 where low and high do not hold the result. */
  readonly isLarger: Expression;
}

export interface CutResult {
  /** The result in the wanted type. */
  readonly cut: Expression;
  /** 1 where that is not the exact result, and 0 otherwise. */
  readonly overflows: Expression;
}

/** Computes `left operator right`, all of at most 64 bits; the operands are evaluated more than once. */
export function simplifyInWords(
  s: Simplifier,
  operator: ArithmeticOperator,
  [left, right]: readonly [Expression, Expression],
  type: Type,
  loc: Loc,
): CutResult {
  const words = new Words(s, loc);
  const { low, high, isLarger } =
    operator === '*' ? words.multiply(left, right) : words.add(left, right, operator === '-' ? '-' : '+');
  const cut = words.keep(cast(low, unqualified(type), 'integer', loc, false), type);
  const differsInHigh = comparison('!=', high, words.minus(words.isNegative(cut), intType), loc);
  const differsInLow = comparison('!=', words.low(cut), low, loc);
  const differs = arithmetic('|', differsInHigh, differsInLow, loc);
  return { cut, overflows: words.keep(arithmetic('|', differs, isLarger, loc), intType) };
}

class Words {
  readonly #s: Simplifier;
  readonly #loc: Loc;

  constructor(s: Simplifier, loc: Loc) {
    this.#s = s;
    this.#loc = loc;
  }

  keep(value: Expression, type: Type): Expression {
    const kept = this.#s.newTemporary(type, this.#loc);
    this.#s.emit(assign(kept, value, this.#loc));
    return kept;
  }

  low(value: Expression): Expression {
    return cast(value, WORD, 'integer', this.#loc, false);
  }

  minus(value: Expression, type: Type): Expression {
    return arithmetic('-', integer(0, this.#loc, type), value, this.#loc);
  }

  /** 1 for a negative number, and 0 otherwise. */
  isNegative(value: Expression): Expression {
    const { type } = value;
    const isSigned = type.kind === 'integer' && isSignedName(type.name);
    return isSigned ? comparison('<', value, integer(0, this.#loc, type), this.#loc) : integer(0, this.#loc);
  }

  add(left: Expression, right: Expression, operator: '+' | '-'): Exact {
    const loc = this.#loc;
    const low = this.keep(arithmetic(operator, this.low(left), this.low(right), loc), WORD);
    const isSum = operator === '+';
    const carry = isSum
      ? comparison('<', low, this.low(left), loc)
      : comparison('<', this.low(left), this.low(right), loc);
    const [signs, moved] = isSum
      ? [arithmetic('+', this.isNegative(left), this.isNegative(right), loc), carry]
      : [arithmetic('+', this.isNegative(left), carry, loc), this.isNegative(right)];
    const high = this.keep(arithmetic('-', moved, signs, loc), intType);
    return { low, high, isLarger: integer(0, loc) };
  }

  multiply(left: Expression, right: Expression): Exact {
    const loc = this.#loc;
    const [leftSign, rightSign] = [this.#signMask(left), this.#signMask(right)];
    const a = this.keep(this.#negatedIf(leftSign, this.low(left)), WORD);
    const b = this.keep(this.#negatedIf(rightSign, this.low(right)), WORD);
    const product = this.keep(arithmetic('*', a, b, loc), WORD);
    const sign = this.keep(arithmetic('^', leftSign, rightSign, loc), WORD);
    const none = integer(0, loc, WORD);
    const divisor = arithmetic('|', a, this.low(comparison('==', a, none, loc)), loc);
    const most = arithmetic('/', integer(2n ** 64n - 1n, loc, WORD), divisor, loc);
    const isNegative = arithmetic('&', comparison('!=', sign, none, loc), comparison('!=', product, none, loc), loc);
    return {
      low: this.keep(this.#negatedIf(sign, product), WORD),
      high: this.keep(this.minus(isNegative, intType), intType),
      isLarger: this.keep(comparison('>', b, most, loc), intType),
    };
  }

  /** All bits for a negative number, and none otherwise. */
  #signMask(value: Expression): Expression {
    return this.keep(this.minus(this.low(this.isNegative(value)), WORD), WORD);
  }

  #negatedIf(mask: Expression, value: Expression): Expression {
    return arithmetic('-', arithmetic('^', value, mask, this.#loc), mask, this.#loc);
  }
}

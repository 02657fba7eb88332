/**
 * What is known inside an atomic section, where no other thread interferes: which variables hold what was read from a
 * part, and which values a part can have after what was assumed and decided. It ends with the section.
 */

import type { DataModel } from '../../program/data-model.ts';
import { fitsInteger, integerNameOf, maximumOf, minimumOf } from '../../program/integer-range.ts';
import type { Expression, VariableSymbol } from '../../program/tree.ts';
import { isInteger } from '../../program/type-operations.ts';
import type { IntegerPart, IntegerParts } from './integer-parts.ts';

type Values = ReadonlySet<bigint>;
type Claims = ReadonlyMap<IntegerPart, Values>;

/** Conditions that are nested deeper are not looked into. */
const DEEPEST = 12;

const NOTHING: Claims = new Map();

export class SectionFacts {
  readonly #parts: IntegerParts;
  readonly #model: DataModel;
  readonly #copies: Map<VariableSymbol, IntegerPart>;
  readonly #values: Map<IntegerPart, Values>;

  constructor(parts: IntegerParts, model: DataModel, like: SectionFacts | null = null) {
    this.#parts = parts;
    this.#model = model;
    this.#copies = new Map(like ? like.#copies : []);
    this.#values = new Map(like ? like.#values : []);
  }

  /** The values that a part can have here; null if these may be any. */
  valuesOf(part: IntegerPart): Values | null {
    return this.#values.get(part) ?? null;
  }

  /** A condition turned out true or false. */
  learn(condition: Expression, holds: boolean): void {
    for (const [part, values] of this.#claims(condition, holds, DEEPEST)) this.#values.set(part, values);
  }

  /** Something is assigned. */
  assign(target: Expression, symbol: VariableSymbol | null, value: Expression | null): void {
    if (symbol === null) {
      // Through a pointer: anything may have changed.
      this.#copies.clear();
      this.#values.clear();
      return;
    }
    const part = value && this.partOf(value);
    this.#copies.delete(symbol);
    for (const [copy, { symbol: source }] of this.#copies) if (source === symbol) this.#copies.delete(copy);
    for (const known of this.#values.keys()) if (known.symbol === symbol) this.#values.delete(known);
    if (part && part.symbol !== symbol && target.kind === 'variable' && isInteger(target.type)) {
      this.#copies.set(symbol, part);
    }
  }

  /** The part whose number an expression is: the part itself or a variable that holds what was read there. */
  partOf(expression: Expression): IntegerPart | null {
    let at = expression;
    while (at.kind === 'cast' && this.#keepsNumber(at)) at = at.operand;
    const copied = at.kind === 'variable' ? this.#copies.get(at.symbol) : undefined;
    return copied ?? this.#parts.of(at);
  }

  /** Whether the conversion leaves every number as it is. */
  #keepsNumber({ castKind, type, operand }: Extract<Expression, { kind: 'cast' }>): boolean {
    if (castKind === 'qualification') return true;
    if (castKind !== 'integer' || !isInteger(type) || !isInteger(operand.type)) return false;
    const from = integerNameOf(operand.type);
    const to = integerNameOf(type);
    const isWithin = (value: bigint) => fitsInteger(value, to, this.#model);
    return to !== '_Bool' && isWithin(minimumOf(from, this.#model)) && isWithin(maximumOf(from, this.#model));
  }

  /** What a condition says about the values of parts if it holds, or if it does not. */
  #claims(condition: Expression, holds: boolean, depth: number): Claims {
    if (depth === 0) return NOTHING;
    switch (condition.kind) {
      case 'unary':
        return condition.operator === '!' ? this.#claims(condition.operand, !holds, depth - 1) : NOTHING;
      case 'cast':
        if (condition.castKind !== 'to-bool' && !this.#keepsNumber(condition)) return NOTHING;
        return this.#claims(condition.operand, holds, depth - 1);
      case 'comparison':
        return this.#comparison(condition, holds, depth);
      case 'logical': {
        const left = this.#claims(condition.left, holds, depth - 1);
        const right = this.#claims(condition.right, holds, depth - 1);
        const isBoth = (condition.operator === '&&') === holds;
        return isBoth ? new Map([...left, ...right]) : either(left, right);
      }
      default: {
        const part = holds ? null : this.partOf(condition);
        return part ? new Map([[part, new Set([0n])]]) : NOTHING;
      }
    }
  }

  #comparison(
    { operator, left, right }: Extract<Expression, { kind: 'comparison' }>,
    holds: boolean,
    depth: number,
  ): Claims {
    if (right.kind !== 'integer' || (operator !== '==' && operator !== '!=')) return NOTHING;
    const isEqual = (operator === '==') === holds;
    const part = this.partOf(left);
    if (part) return isEqual ? new Map([[part, new Set([right.value])]]) : NOTHING;
    return right.value === 0n ? this.#claims(left, !isEqual, depth - 1) : NOTHING;
  }
}

/** What is claimed by both of two ways. */
function either(left: Claims, right: Claims): Claims {
  const both = new Map<IntegerPart, Values>();
  for (const [part, values] of left) {
    const others = right.get(part);
    if (others) both.set(part, new Set([...values, ...others]));
  }
  return both;
}
